import { useId, useState } from 'react';

interface TextFilterProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly minLength?: number;
  /** Called with the text once it is complete: at Enter, or when the field is left. */
  readonly onChange: (value: string) => void;
}

/** A filter with a text. The server looks for it, so it is asked for a complete text, and not for each key. */
export function TextFilter({ label, hint, value, minLength = 1, onChange }: TextFilterProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const commit = () => {
    const wanted = text.trim();
    if (wanted !== value && (wanted === '' || wanted.length >= minLength)) onChange(wanted);
  };
  return (
    <form
      className="choice"
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={text}
        placeholder={hint}
        minLength={minLength}
        maxLength={200}
        autoComplete="off"
        spellCheck="false"
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
      />
    </form>
  );
}

import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { leaveToSignOut } from '../api/arrival.ts';
import { Icon } from '../parts/icons.tsx';
import { languageName, languages } from '../viewer/catalogues.ts';
import { themes, usePreferences, useWords, zones } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';

/** Theme, language, time zone and the search's shortcut. */
export function PreferencesButton() {
  const words = useWords();
  const { place } = useSession();
  const { theme, language, zone, hasSlash, setTheme, setLanguage, setZone, setSlash } = usePreferences();
  return (
    <DialogTrigger>
      <Button className="icon-button" aria-label={words.preferences.label}>
        <Icon name="display" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="preferences" aria-label={words.preferences.label}>
          <fieldset>
            <legend>{words.preferences.theme}</legend>
            {themes.map((known) => (
              <label key={known}>
                <input type="radio" name="theme" checked={known === theme} onChange={() => setTheme(known)} />
                {words.preferences.themes[known]}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>{words.preferences.language}</legend>
            {languages.map((known) => (
              <label key={known} lang={known}>
                <input
                  type="radio"
                  name="language"
                  checked={known === language}
                  onChange={() => setLanguage(known)}
                />
                {languageName(known)}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>{words.preferences.zone}</legend>
            {zones.map((known) => (
              <label key={known}>
                <input type="radio" name="zone" checked={known === zone} onChange={() => setZone(known)} />
                {words.preferences.zones[known]}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>{words.preferences.shortcuts}</legend>
            <label>
              <input type="checkbox" checked={hasSlash} onChange={({ target }) => setSlash(target.checked)} />
              {words.preferences.slash}
            </label>
          </fieldset>
          {place === 'deployed' && (
            <Button className="button" onPress={() => void leaveToSignOut()}>
              {words.signIn.out}
            </Button>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/**
 * Matches characters that are invisible, or that change how the text around them is shown: controls, bidirectional controls, line separators,
 * annotations, tags, and all others that Unicode says to ignore where they cannot be shown (`Default_Ignorable_Code_Point`), among them
 * zero width spaces and variation selectors. A text can be hidden in them, which a person does not see, and a language model reads.
 *
 * Joiners (U+200C, U+200D) stay after a letter of a script that needs them and in emoji, and the selectors of emoji (U+FE0E, U+FE0F) after one.
 * Each needs a visible character before it, so no text can be written with them alone.
 */
export const invisible =
  /(?<!\p{Extended_Pictographic}\ufe0f|[[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]--[\p{Default_Ignorable_Code_Point}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]])[\u200c\u200d]|(?<!\p{Extended_Pictographic}|[0-9#*](?=[\ufe0e\ufe0f]\u20e3))[\ufe0e\ufe0f]|[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]--[\u200c\u200d\ufe0e\ufe0f]]/gv;

/** What Windows takes for a device, whatever stands behind the dot. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\.|$)/i;

/**
 * Names under which a zip's files can be unpacked side by side on any computer: none is a device's, none ends as Windows cuts off, no two are
 * the same in other letters.
 */
export function zipNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    const name = given.replace(DEVICE, '_$&').replace(/[. ]+$/, '') || '_';
    const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
    let own = name;
    for (let count = 2; taken.has(folded(own)); count += 1) own = `${stem} (${count})${extension}`;
    taken.add(folded(own));
    return own;
  });
}

const folded = (name: string) => name.normalize('NFC').toLowerCase();

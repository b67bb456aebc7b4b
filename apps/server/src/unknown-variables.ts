/** Names that begin so are ours: nobody else puts them into an environment. */
const ours = /^(LAVRA_|S3_|TSA_|SMTP_|MAIL_|TRUSTED)/i;

/** What the repository's own tests and tools read, and what only one command does. */
const elsewhere: readonly string[] = [
  'LAVRA_CORPUS',
  'LAVRA_ICP_BRASIL',
  'LAVRA_P12_PASSWORD',
  'LAVRA_POLICIES',
  'LAVRA_TEST_DATABASE_URL',
];

/** In everybody's environment they would promise what a start does not do. */
const ofCommands: Readonly<Record<string, string>> = { LAVRA_NEW_SECRET: 'npm run rotate-secret' };

/** Kubernetes and Docker tell every container of services that may be called as we are: LAVRA_SERVICE_HOST, LAVRA_PORT=tcp://… */
const serviceLink = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;

/**
 * A variable that is nearly right would leave its setting at the default without a word: a fault each, with the name that was
 * probably meant. Values are looked at only to tell what an orchestrator has put there, and never shown.
 */
export function unknownVariables(given: Readonly<Record<string, string | undefined>>, known: readonly string[]): string[] {
  return Object.entries(given)
    .filter(([name, value]) => ours.test(name) && !known.includes(name) && !elsewhere.includes(name) && !isServiceLink(name, value ?? ''))
    .map(([name]) => {
      if (ofCommands[name]) return `${name}: only ${ofCommands[name]} reads it`;
      const nearest = nearestOf(name, known);
      return nearest ? `${name}: unknown; did you mean ${nearest}?` : `${name}: unknown; docs/operating.md lists what there is`;
    });
}

function isServiceLink(name: string, value: string): boolean {
  const plain = /_(PORT|PORT_\d+_(TCP|UDP|SCTP))$/.test(name) && !name.includes('_SERVICE_');
  return serviceLink.test(name) && (!plain || /^(tcp|udp|sctp):\/\//.test(value));
}

/** The known name that takes the fewest changes; null when even that one is another word. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, away: Math.min(...spellings(name).map((spelling) => distance(spelling, candidate))) }))
    .toSorted((a, b) => a.away - b.away);
  const [first] = ranked;
  if (first && first.away <= Math.max(2, Math.floor(first.candidate.length / 3))) return first.candidate;
  // SMTP_HOST is no misspelling of SMTP_URL, and yet means it.
  const kind = name
    .toUpperCase()
    .replace(/^LAVRA_/, '')
    .split('_')[0];
  const family = known.filter((candidate) => candidate.startsWith(`${kind}_`));
  return family.length === 1 ? (family[0] ?? null) : null;
}

/** As it stands, and with our prefix put on or left away: LAVRA_TRUSTED_PROXIES, PUBLIC_URL. */
function spellings(name: string): string[] {
  const upper = name.toUpperCase();
  return [upper, upper.replace(/^LAVRA_/, ''), `LAVRA_${upper}`];
}

/** A name of whose words one was left out counts as nearly right: S3_SECRET_KEY. */
function distance(name: string, candidate: string): number {
  const [given, wanted] = [name.split('_'), candidate.split('_')];
  const shortened = given.length > 1 && given.length === wanted.length - 1 && given.every((word) => wanted.includes(word));
  return shortened ? 1 : changes(name, candidate);
}

/** Levenshtein's. */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const kept = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(kept, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

import type { Logger } from 'pino';

/** Parts of the program whose talk can be turned up or down by itself; what has no name of its own speaks as ROOT. */
export const loggerNames = ['ROOT', 'audit', 'database', 'health', 'http', 'jobs', 'processes'] as const;
export type LoggerName = (typeof loggerNames)[number];

/** Of pino, from the quietest. */
export const pinoLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type PinoLevel = (typeof pinoLevels)[number];

type Levels = Readonly<Partial<Record<LoggerName, PinoLevel>>>;

interface Family {
  /** As the start said. */
  readonly given: PinoLevel;
  readonly members: Map<Exclude<LoggerName, 'ROOT'>, Logger>;
  configured: Levels;
}

const families = new WeakMap<Logger, Family>();

function familyOf(root: Logger): Family {
  const known = families.get(root);
  if (known) return known;
  const family: Family = { given: root.level as PinoLevel, members: new Map(), configured: {} };
  families.set(root, family);
  return family;
}

/** The logger of one part: its lines carry its name. */
export function loggerFor(root: Logger, name: Exclude<LoggerName, 'ROOT'>): Logger {
  const { members } = familyOf(root);
  const known = members.get(name);
  if (known) return known;
  const made = root.child({ logger: name });
  members.set(name, made);
  return made;
}

/** What each of them speaks at now, and what it was told to; null: as the start said, or as ROOT does. */
export function readLevels(root: Logger): Record<LoggerName, { configured: PinoLevel | null; effective: PinoLevel }> {
  const { configured, given } = familyOf(root);
  const levelOf = (name: LoggerName) => configured[name] ?? configured.ROOT ?? given;
  const entries = loggerNames.map((name) => [name, { configured: configured[name] ?? null, effective: levelOf(name) }]);
  return Object.fromEntries(entries) as ReturnType<typeof readLevels>;
}

/** Has all of them speak as told; who is not named returns to what it was. */
export function setLevels(root: Logger, configured: Levels): void {
  const family = familyOf(root);
  family.configured = configured;
  const levels = readLevels(root);
  root.level = levels.ROOT.effective;
  // A child keeps the level that its parent had when it was made.
  for (const name of loggerNames) if (name !== 'ROOT') loggerFor(root, name).level = levels[name].effective;
}

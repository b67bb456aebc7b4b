import { PadesError } from '../../errors.ts';
import type { Indication, SignatureReport } from '../../verify/report.ts';
import type { AttackWorld } from '../attacks/world.ts';
import { Dice } from './dice.ts';
import { kinds } from './edits.ts';
import type { Kind } from './edits.ts';
import type { Find, Judgement, Oracle } from './oracle.ts';
import { shorterOf } from './shorten.ts';
import { makeStory, rollBase, rollStory } from './story.ts';
import type { MadeStory, Story } from './story.ts';

/** Stories of one document: what it looked like is drawn once. */
const storiesOfOne = 10;

/** What of a verdict counts as passed: the verifier's own word, or that of one who is blind to something. */
export type Judge = (judgement: Judgement) => readonly SignatureReport[];

export const soundJudge: Judge = ({ signatures }) => signatures.filter(({ indication }) => indication === 'TOTAL-PASSED');

/** Something seen that nobody signed, an honest file that does not pass, or a program that broke. */
export interface Catch {
  readonly seed: number;
  readonly story: Story;
  readonly base: Uint8Array;
  readonly file: Uint8Array;
  readonly what: 'seen' | 'false alarm' | 'fault';
  readonly words: string;
  /** Who saw it. */
  readonly seenBy: readonly string[];
}

interface HuntOptions {
  readonly judge?: Judge;
  /** Leaves out of a find what it does not need; that takes as long as hundreds of files. */
  readonly shortens?: boolean;
}

type Verdict = Indication | 'REFUSED' | 'NOT_LISTED';

/** Counts of a hunt. */
export class Tally {
  files = 0;
  documents = 0;
  /** Files that passed and were shown by everybody. */
  looked = 0;
  /** What the signer would not go on with: nobody is deceived by it. */
  notMade = 0;
  readonly byKind = new Map<Kind, Map<Verdict, number>>();

  count({ kinds: touched }: Story, verdict: Verdict): void {
    this.files++;
    for (const kind of touched) {
      const row = this.byKind.get(kind) ?? new Map<Verdict, number>();
      row.set(verdict, (row.get(verdict) ?? 0) + 1);
      this.byKind.set(kind, row);
    }
  }

  table(): string {
    const verdicts: readonly Verdict[] = ['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE', 'NOT_LISTED', 'REFUSED'];
    const line = (name: string, cells: readonly (string | number)[]) =>
      name.padEnd(16) + cells.map((cell) => String(cell).padStart(14)).join('');
    const rows = kinds.map((kind) => {
      const row = this.byKind.get(kind) ?? new Map<Verdict, number>();
      const cells = verdicts.map((verdict) => row.get(verdict) ?? 0);
      return line(kind, [cells.reduce((sum, cell) => sum + cell, 0), ...cells]);
    });
    return [line('class', ['files', ...verdicts]), ...rows].join('\n');
  }
}

/** Rolls documents and what becomes of them, asks verifier and drawers, and tells what does not go together. */
export class Hunt {
  readonly tally = new Tally();
  private readonly world: AttackWorld;
  private readonly oracle: Oracle;
  private readonly judge: Judge;
  private readonly shortens: boolean;

  constructor(world: AttackWorld, oracle: Oracle, { judge = soundJudge, shortens = true }: HuntOptions = {}) {
    this.world = world;
    this.oracle = oracle;
    this.judge = judge;
    this.shortens = shortens;
  }

  /** All stories of one seed; `isDue` ends them early. */
  async *go(seed: number, isDue: () => boolean): AsyncGenerator<Catch> {
    const dice = new Dice(seed);
    const roll = await rollBase(dice, this.world);
    this.tally.documents++;
    for (let count = 0; count < storiesOfOne && !isDue(); count++) {
      const made = await this.make(() => rollStory(roll, dice, this.world));
      const found = made === null ? null : await this.ask(made, seed, isDue);
      if (found !== null) yield found;
    }
  }

  private async make<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PadesError)) throw error;
      this.tally.notMade++;
      return null;
    }
  }

  private async ask(made: MadeStory, seed: number, isDue: () => boolean): Promise<Catch | null> {
    const { story, base, file } = made;
    const caught = (what: Catch['what'], words: string): Catch => ({ seed, story, base, file, what, words, seenBy: [] });
    let judgement: Judgement;
    try {
      judgement = await this.oracle.judge(file);
    } catch (error) {
      return caught('fault', String(error instanceof Error ? error.stack : error));
    }
    this.tally.count(story, judgement.verdict);
    const alarm = story.honest ? judgement.signatures.find(({ indication }) => indication !== 'TOTAL-PASSED') : undefined;
    if (story.honest && (alarm !== undefined || judgement.signatures.length === 0)) return caught('false alarm', reasonOf(alarm));
    const find = await this.look(file, judgement);
    if (find === null) return null;
    const words = `${find.field} passes; seen by ${find.seenBy.join(', ')}`;
    const shorter = this.shortens ? await this.shorten(story, find, isDue) : null;
    return { ...caught('seen', words), ...shorter, seenBy: find.seenBy };
  }

  private async look(file: Uint8Array, judgement: Judgement): Promise<Find | null> {
    const passed = this.judge(judgement);
    if (passed.length === 0) return null;
    this.tally.looked++;
    return this.oracle.look(file, passed);
  }

  /** Leaves out what the find does not need, as long as there is time; null when it needs everything. */
  private async shorten(story: Story, find: Find, isDue: () => boolean): Promise<{ story: Story; file: Uint8Array } | null> {
    let best: { story: Story; file: Uint8Array } | null = null;
    for (const shorter of shorterOf(story)) {
      if (isDue()) break;
      const candidate = shorter(best?.story ?? story);
      if (candidate === null) continue;
      const file = await makeStory(candidate, this.world).catch(() => null);
      const judgement = file === null ? null : await this.oracle.judge(file).catch(() => null);
      if (file === null || judgement === null) continue;
      const still = await this.oracle.look(file, this.judge(judgement));
      if (still !== null && still.field === find.field) best = { story: candidate, file };
    }
    return best;
  }
}

function reasonOf(report: SignatureReport | undefined): string {
  if (report === undefined) return 'no signature is listed';
  const changes = report.changes.map(({ level, kind, objectNumber }) => `${level}/${kind} ${objectNumber ?? ''}`);
  return `${report.fields.join()}: ${report.indication}, ${report.reasons.join()} (${changes.join('; ')})`;
}

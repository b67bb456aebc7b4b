import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { attemptStatus, localSignerFault } from '@lavra/api';
import { domainErrorCodes } from '@lavra/domain';
import fc from 'fast-check';
import type { Authorization, CloudCertificate } from './authorization.ts';
import type { OpenedCertificate } from './certificate-file.ts';
import { openSigning, step } from './digital-signing.ts';
import { sentenceOf } from './signing-fault.ts';
import {
  type DigitalSigning,
  type Effect,
  isHandedIn,
  runningAttempt,
  type SigningEvent,
  type Work,
  type WorkEvent,
} from './signing-state.ts';

const choice = { cpf: '', keep: false, type: null, consent: true };
const appearance = { style: 'model' as const, image: null };
const birdid: CloudCertificate = { psc: 'BIRDID', holder: 'person' };
const vidaas: CloudCertificate = { psc: 'VIDAAS', holder: 'company' };
const authorization: Authorization = { psc: 'BIRDID', url: 'https://psc.example/authorize', endsAt: 90_000 };
const push: Authorization = { ...authorization, url: null };
const certificate = () => ({ name: 'Ana', validTo: '2027-01-01T00:00:00Z' }) as OpenedCertificate;
const status = (word: (typeof attemptStatus)['_zod']['output'], reason: string | null = null): SigningEvent => ({
  is: 'status',
  status: { status: word, reason, finalized: false },
});

/** What a browser and a server would make of the effects: what is open, which windows and keys are held. */
class World {
  state: DigitalSigning;
  readonly open = new Map<number, Work>();
  /** Stopped, or handed in and left: their answers come too late. */
  readonly late: Work[] = [];
  readonly windows = new Set<number>();
  readonly keys = new Set<OpenedCertificate>();
  readonly effects: Effect[] = [];
  kept: boolean;
  waitedForAtServer: boolean;

  constructor(at: Parameters<typeof openSigning>[0] = 'SENT', kept: Authorization | null = null) {
    this.kept = kept !== null;
    this.waitedForAtServer = at === 'AUTHORIZING';
    const [state, effects] = openSigning(at, kept, choice, null);
    this.state = state;
    effects.forEach((effect) => this.#run(effect));
  }

  send(event: SigningEvent): readonly Effect[] {
    const before = this.state;
    const [next, effects] = step(before, event);
    this.state = next;
    effects.forEach((effect) => this.#run(effect));
    if (isHandedIn(before) && runningAttempt(next) === null) this.#leaveOpen();
    this.effects.push(...effects);
    return effects;
  }

  /** An answer of work, whether anybody still waits for it or not. */
  answer(event: WorkEvent): readonly Effect[] {
    const isLast = event.is !== 'fileStep' && event.is !== 'localStep' && event.is !== 'question';
    if (isLast) this.open.delete(event.attempt);
    if (event.is === 'opened') event.certificates.forEach((one) => this.keys.add(one));
    if (event.is === 'authorized') this.waitedForAtServer = true;
    if (event.is === 'authorized' && event.reached) this.windows.delete(event.attempt);
    return this.send(event);
  }

  /** What must hold after every step. */
  check(): void {
    const { state } = this;
    const running = runningAttempt(state);
    assert.deepEqual([...this.open.keys()], running === null ? [] : [running], 'only what the state waits for is under way');
    assert.deepEqual([...this.keys], state.at === 'file' ? [...state.certificates] : [], 'no key is held that the state does not know');
    for (const held of this.windows) assert.equal(held, running, 'no window stays open that nobody fills');
    if (state.at !== 'closed')
      assert.equal(this.kept, state.at === 'waiting', 'what waits for a holder survives a reload, and nothing else');
  }

  #leaveOpen(): void {
    this.late.push(...this.open.values());
    this.open.clear();
  }

  #run(effect: Effect): void {
    switch (effect.do) {
      case 'search':
      case 'authorize':
        this.windows.add(effect.attempt);
        this.open.set(effect.attempt, effect);
        return;
      case 'askHowItEnded':
      case 'openFile':
      case 'signWithFile':
      case 'signLocally':
        this.open.set(effect.attempt, effect);
        return;
      case 'stop': {
        const stopped = this.open.get(effect.attempt);
        assert.ok(stopped, 'what is stopped was under way');
        this.late.push(stopped);
        this.open.delete(effect.attempt);
        this.windows.delete(effect.attempt);
        return;
      }
      case 'closeWindow':
        this.windows.delete(effect.attempt);
        return;
      case 'forgetKeys':
        effect.certificates.forEach((one) => this.keys.delete(one));
        return;
      case 'keepAuthorization':
        this.kept = true;
        return;
      case 'forgetAuthorization':
        this.kept = false;
        return;
      case 'giveUp':
        this.waitedForAtServer = false;
        return;
      default:
        return;
    }
  }
}

/** The answers that a kind of work can give. */
function answersOf(work: Work, fault = 'server.unexpected'): WorkEvent[] {
  const { attempt } = work;
  const failed: WorkEvent = { is: 'failed', attempt, fault: { code: fault, params: {} } };
  switch (work.do) {
    case 'search':
      return [
        { is: 'searched', attempt, found: [], unanswered: ['SYN'] },
        { is: 'searched', attempt, found: [birdid], unanswered: [] },
        { is: 'searched', attempt, found: [birdid, vidaas], unanswered: ['SYN'] },
        failed,
      ];
    case 'authorize':
      return [
        { is: 'authorized', attempt, authorization, reached: true },
        { is: 'authorized', attempt, authorization, reached: false },
        { is: 'authorized', attempt, authorization: push, reached: false },
        failed,
      ];
    case 'askHowItEnded':
      return [
        ...attemptStatus.options.map((word) => ({ is: 'ended' as const, attempt, status: word })),
        { is: 'ended', attempt, status: undefined },
        failed,
      ];
    case 'openFile':
      return [
        { is: 'opened', attempt, certificates: [certificate()] },
        { is: 'opened', attempt, certificates: [certificate(), certificate()] },
        { is: 'opened', attempt, certificates: [] },
        failed,
      ];
    case 'signWithFile':
      return [{ is: 'fileStep', attempt, step: 'signing' }, { is: 'fileStep', attempt, step: 'sending' }, { is: 'sent', attempt }, failed];
    case 'signLocally':
      return [
        { is: 'question', attempt, codes: ['12-34', '56-78'] },
        { is: 'localStep', attempt, step: 'confirming', code: '12-34' },
        { is: 'localStep', attempt, step: 'sending', code: '12-34' },
        { is: 'sent', attempt },
        failed,
      ];
  }
}

const file = { name: 'ana.p12' } as File;
const cpf = '52998224725';
/** Everything that a person can do, wherever they are. */
const acts: readonly SigningEvent[] = [
  { is: 'styled', appearance },
  { is: 'chose', change: { cpf: '529' } },
  { is: 'chose', change: { keep: true } },
  { is: 'next', cpf, type: 'cloud' },
  { is: 'next', cpf, type: 'file' },
  { is: 'next', cpf, type: 'local' },
  { is: 'searchAgain' },
  { is: 'picked', certificate: vidaas },
  { is: 'reopen' },
  { is: 'fileChanged' },
  { is: 'signWithFile', file, password: 'x', chosen: 1 },
  { is: 'startLocal', forget: false },
  { is: 'compared', code: '12-34' },
  { is: 'cancel' },
  { is: 'back' },
];
/** What happens by itself. */
const happenings: readonly SigningEvent[] = [
  ...attemptStatus.options.map((word) => status(word)),
  { is: 'expired' },
  { is: 'reached', reached: true },
  { is: 'notGivenUp', fault: { code: 'error.server.not.reachable', params: {} } },
];

type Move = { who: 'person' | 'world' | 'work' | 'late'; which: number; answer: number };
const move: fc.Arbitrary<Move> = fc.record({
  who: fc.constantFrom('person', 'person', 'work', 'work', 'late', 'world'),
  which: fc.nat(1000),
  answer: fc.nat(1000),
});
const moves = fc.array(move, { maxLength: 60, size: 'max' });
const pick = <T>(from: readonly T[], which: number): T | undefined => (from.length === 0 ? undefined : from[which % from.length]);

function play(world: World, { who, which, answer }: Move): void {
  if (who === 'person' || who === 'world') {
    const event = pick(who === 'person' ? acts : happenings, which);
    if (event) world.send(event);
    return;
  }
  const work = pick(who === 'work' ? [...world.open.values()] : world.late, which);
  const event = work && pick(answersOf(work), answer);
  if (event) world.answer(event);
}

function played(history: readonly Move[]): World {
  const world = new World();
  for (const one of history) play(world, one);
  return world;
}

describe('the dialog of a digital signature', () => {
  it('waits only for what it says, and holds no window, key or authorisation longer than its state, whatever happens', () => {
    const places = ['style', 'type', 'type search', 'type authorize', 'choice', 'choice authorize', 'waiting', 'waiting askHowItEnded'];
    const ways = ['file', 'file openFile', 'file signWithFile', 'local', 'local signLocally', 'signing'];
    const reached = new Set<string>();
    const everywhere = fc.property(moves, (history) => {
      const world = new World();
      for (const one of history) {
        play(world, one);
        world.check();
        reached.add(`${world.state.at} ${runningAttempt(world.state) === null ? '' : [...world.open.values()][0]?.do}`.trim());
      }
    });
    // The play is worth something only where it comes everywhere; the rarest place is missed by 2,000 games once in a hundred times.
    for (let round = 0; round < 20 && (round === 0 || reached.size < places.length + ways.length); round += 1)
      fc.assert(everywhere, { numRuns: 2000 });
    assert.deepEqual([...reached].toSorted(), [...places, ...ways].toSorted());
  });

  it('can be closed at any time: all that runs is stopped, what is waited for is given up, and nothing more happens', () => {
    fc.assert(
      fc.property(moves, moves, (history, afterwards) => {
        const world = played(history);
        const handedIn = isHandedIn(world.state);
        const asked = world.state.at === 'waiting' || ('doing' in world.state && world.state.doing === 'asking');
        const effects = world.send({ is: 'close' });
        assert.equal(world.state.at, 'closed');
        assert.ok(effects.some((effect) => effect.do === 'dismiss'));
        assert.equal(
          effects.some((effect) => effect.do === 'giveUp'),
          asked,
        );
        assert.deepEqual([world.open.size, world.windows.size, world.keys.size, world.kept], [0, 0, 0, false]);
        if (handedIn) assert.ok(!effects.some((effect) => effect.do === 'stop' || effect.do === 'giveUp'), 'what was handed in goes on');
        const closed = world.state;
        for (const one of afterwards) play(world, one);
        assert.equal(world.state, closed);
        assert.deepEqual([world.open.size, world.windows.size, world.keys.size], [0, 0, 0]);
      }),
      { numRuns: 1000 },
    );
  });

  it('has no state without an exit: a person’s act leads on from each, and from each work both its answer and its failure', () => {
    fc.assert(
      fc.property(moves, (history) => {
        const { state, open } = played(history);
        if (state.at === 'signing') {
          const seen = step(state, status('SIGNING'))[0];
          for (const word of ['SENT', 'EXPIRED', 'CANCELED', 'ERROR_WHILE_SIGNING'] as const) {
            const [next] = step(seen, status(word, 'signing.providerFault'));
            assert.ok((next.at === 'type' || next.at === 'style') && next.told?.code === 'signing.providerFault');
          }
          return;
        }
        if (!isHandedIn(state))
          assert.ok(
            acts.some((act) => step(state, act)[0].at !== state.at || runningAttempt(step(state, act)[0]) !== runningAttempt(state)),
          );
        for (const work of open.values()) {
          const [next] = step(state, { is: 'failed', attempt: work.attempt, fault: { code: 'server.busy', params: {} } });
          assert.equal(runningAttempt(next), null);
          assert.ok(next.told !== null);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('ignores late answers of a given-up attempt, and lets go of what they bring', () => {
    fc.assert(
      fc.property(moves, (history) => {
        const world = played(history);
        for (const work of world.late) {
          for (const event of answersOf(work)) {
            const before = world.state;
            const effects = world.answer(event);
            assert.equal(world.state, before);
            for (const effect of effects) assert.ok(['forgetKeys', 'closeWindow', 'giveUp'].includes(effect.do), effect.do);
            // The holder who is asked by now is not given up for one who was given up before.
            if (before.at === 'waiting') assert.ok(!effects.some((effect) => effect.do === 'giveUp'));
            world.check();
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is total: every event is answered in every state, and what does not fit changes nothing', () => {
    fc.assert(
      fc.property(moves, (history) => {
        const { state } = played(history);
        for (const event of [...acts, ...happenings]) assert.ok(step(state, event)[0]);
        if (runningAttempt(state) !== null) return;
        const stray: SigningEvent[] = [
          { is: 'sent', attempt: state.attempt },
          { is: 'failed', attempt: 99_999, fault: { code: 'x', params: {} } },
        ];
        for (const event of stray) assert.equal(step(state, event)[0], state);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a digital signature without a visible place', () => {
  it('has no step of style: it begins at the certificate, where a style can be chosen for the signature page, and begins again there', () => {
    const [first] = openSigning('SENT', null, choice, appearance);
    assert.deepEqual([first.at, first.appearance], ['type', appearance]);
    const [style] = step(first, { is: 'back' });
    assert.equal(style.at, 'style');
    const drawn = { style: 'drawn' as const, image: 'iVBORw0KGgo=' };
    const [chosen] = step(style, { is: 'styled', appearance: drawn });
    assert.deepEqual([chosen.at, chosen.appearance], ['type', drawn]);
    const [waited] = openSigning('AUTHORIZING', authorization, choice, appearance);
    const [ended] = step(waited, status('EXPIRED', 'signing.expired'));
    assert.deepEqual([ended.at, ended.told?.code], ['type', 'signing.expired']);
  });
});

/** A world brought to each kind of work. */
const busyWorlds: Record<Work['do'], () => World> = {
  search: () => at({ is: 'next', cpf, type: 'cloud' }),
  authorize: () => {
    const world = at({ is: 'next', cpf, type: 'cloud' });
    world.answer({ is: 'searched', attempt: world.state.attempt, found: [birdid, vidaas], unanswered: [] });
    world.send({ is: 'picked', certificate: vidaas });
    return world;
  },
  askHowItEnded: () => {
    const world = waiting();
    world.send({ is: 'expired' });
    return world;
  },
  openFile: () => at({ is: 'next', cpf, type: 'file' }, { is: 'signWithFile', file, password: 'x', chosen: 0 }),
  signWithFile: () => {
    const world = busyWorlds.openFile();
    world.answer({ is: 'opened', attempt: world.state.attempt, certificates: [certificate()] });
    return world;
  },
  signLocally: () => at({ is: 'next', cpf, type: 'local' }, { is: 'startLocal', forget: false }),
};

function at(...events: SigningEvent[]): World {
  const world = new World();
  world.send({ is: 'styled', appearance });
  for (const event of events) world.send(event);
  return world;
}

function waiting(): World {
  const world = at({ is: 'next', cpf, type: 'cloud' });
  world.answer({ is: 'searched', attempt: world.state.attempt, found: [birdid], unanswered: [] });
  world.answer({ is: 'authorized', attempt: world.state.attempt, authorization, reached: true });
  return world;
}

const locales = ['pt-br', 'en', 'es'].map(
  (locale) =>
    Object.assign(
      {},
      ...['errors', 'digital', 'signing-server', 'shell'].map(
        (name) => JSON.parse(readFileSync(`locales/${locale}/${name}.json`, 'utf8')) as object,
      ),
    ) as Record<string, string>,
);
const fileCodes = ['P12_WRONG_PASSWORD', 'P12_DAMAGED', 'P12_UNSUPPORTED', 'P12_NO_KEY'];
const localCodes = [...localSignerFault.options, 'ABSENT', 'DENIED', 'GONE', 'OUTDATED', 'KEY_CHANGED', 'CODE_OTHER'];

describe('every code', () => {
  for (const [doing, busy] of Object.entries(busyWorlds)) {
    it(`that ends «${doing}» leads to a step that says what to do, in three languages, and from which the person goes on`, () => {
      for (const code of [...domainErrorCodes, ...fileCodes, ...localCodes, 'error.server.not.reachable']) {
        const world = busy();
        world.answer({ is: 'failed', attempt: world.state.attempt, fault: { code, params: {} } });
        world.check();
        const { state } = world;
        assert.equal(runningAttempt(state), null, code);
        assert.ok(state.told, code);
        for (const sentences of locales) assert.ok(sentences[sentenceOf(state.told)], `${code} has no sentence`);
        assert.ok(
          acts.some((act) => step(state, act)[1].length > 0 || step(state, act)[0].at !== state.at),
          code,
        );
      }
    });
  }

  it('is told where it can be mended: a picture at step one, the CPF and the consent at step two, the password beside itself', () => {
    const toldBy = (work: Work['do'], code: string) => {
      const world = busyWorlds[work]();
      world.answer({ is: 'failed', attempt: world.state.attempt, fault: { code, params: {} } });
      return [world.state.at, world.state.told?.about];
    };
    assert.deepEqual(toldBy('signWithFile', 'evidence.imageBlank'), ['style', 'step']);
    assert.deepEqual(toldBy('signLocally', 'evidence.imageTooSmall'), ['style', 'step']);
    assert.deepEqual(toldBy('authorize', 'signer.otherCpf'), ['type', 'cpf']);
    assert.deepEqual(toldBy('signLocally', 'signer.otherCpf'), ['type', 'cpf']);
    assert.deepEqual(toldBy('signWithFile', 'evidence.consentRequired'), ['type', 'step']);
    assert.deepEqual(toldBy('openFile', 'P12_WRONG_PASSWORD'), ['file', 'password']);
    assert.deepEqual(toldBy('openFile', 'P12_DAMAGED'), ['file', 'certificate']);
    assert.deepEqual(toldBy('signWithFile', 'certificate.notIcpBrasil'), ['file', 'certificate']);
    assert.deepEqual(toldBy('search', 'signing.providerUnavailable'), ['type', 'search']);
    assert.deepEqual(toldBy('authorize', 'signing.providerUnavailable'), ['choice', 'step']);
  });

  it('that says that the page is old has it asked anew', () => {
    for (const code of ['signer.alreadySigned', 'signer.deadlinePassed', 'process.notInProgress']) {
      const world = busyWorlds.signLocally();
      const effects = world.answer({ is: 'failed', attempt: world.state.attempt, fault: { code, params: {} } });
      assert.deepEqual(effects.map((effect) => effect.do).toSorted(), ['askStatus', 'reload']);
    }
  });

  it('that says that nobody answered has it asked how the signature stands: the answer may be lost, and the act not', () => {
    const effects = busyWorlds
      .signLocally()
      .answer({ is: 'failed', attempt: 1, fault: { code: 'error.server.not.reachable', params: {} } });
    assert.deepEqual(
      effects.map((effect) => effect.do),
      ['askStatus'],
    );
  });
});

describe('a certificate in the cloud', () => {
  it('that is the only one is asked for at once, in the window that opened with the click', () => {
    const world = at({ is: 'next', cpf, type: 'cloud' });
    const { attempt } = world.state;
    assert.deepEqual([...world.windows], [attempt]);
    const effects = world.answer({ is: 'searched', attempt, found: [birdid], unanswered: [] });
    assert.deepEqual(effects, [{ do: 'authorize', attempt, at: birdid, cpf, appearance }]);
  });

  it('is not waited for before the server says so, and then its refusal is told with the reason', () => {
    const world = waiting();
    world.send(status('SENT'));
    assert.equal(world.state.at, 'waiting');
    world.send(status('AUTHORIZING'));
    world.send(status('SENT', 'signing.authorizationRefused'));
    assert.deepEqual([world.state.at, world.state.told?.code, world.kept], ['type', 'signing.authorizationRefused', false]);
  });

  it('whose time is over is told so, unless the answer came in the last moment', () => {
    const late = waiting();
    late.send({ is: 'expired' });
    late.answer({ is: 'ended', attempt: late.state.attempt, status: 'AUTHORIZING' });
    assert.deepEqual([late.state.at, late.state.told?.code], ['type', 'signing.authorizationExpired']);
    const inTime = waiting();
    inTime.send({ is: 'expired' });
    inTime.answer({ is: 'ended', attempt: inTime.state.attempt, status: 'SIGNING' });
    assert.equal(inTime.state.at, 'signing');
  });

  it('of which the server could not be asked how it ended goes on being waited for, is told so, and ends with what the server says', () => {
    for (const word of ['SIGNING', 'ERROR_WHILE_SIGNING'] as const) {
      const world = waiting();
      world.send(status('AUTHORIZING'));
      world.send({ is: 'expired' });
      world.answer({ is: 'ended', attempt: world.state.attempt, status: undefined });
      assert.deepEqual([world.state.at, world.state.told?.code, world.kept], ['waiting', 'digital.endUnknown', true]);
      world.send(status(word, word === 'SIGNING' ? null : 'signing.authorizationExpired'));
      const [at, code] = word === 'SIGNING' ? ['signing', undefined] : ['type', 'signing.authorizationExpired'];
      assert.deepEqual([world.state.at, world.state.told?.code, world.kept], [at, code, false]);
    }
  });

  it('is waited for again after a reload, and begun again at step one, which keeps no picture', () => {
    const world = new World('AUTHORIZING', authorization);
    assert.equal(world.state.at, 'waiting');
    world.send({ is: 'cancel' });
    assert.deepEqual([world.state.at, world.kept, world.waitedForAtServer], ['style', false, false]);
    const over = new World('SENT', authorization);
    assert.deepEqual([over.state.at, over.kept], ['style', false]);
  });

  it('stays waited for when the page is left and not closed', () => {
    const world = waiting();
    world.send({ is: 'left' });
    assert.deepEqual([world.state.at, world.kept, world.waitedForAtServer], ['closed', true, true]);
  });

  it('that is signed with elsewhere is shown as being signed, whatever was under way here', () => {
    for (const busy of Object.values(busyWorlds)) {
      const world = busy();
      world.send(status('SIGNING'));
      assert.equal(world.state.at, 'signing');
      world.check();
    }
  });
});

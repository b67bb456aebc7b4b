import type { LocalSignerFault } from '@lavra/api';
import { PadesError } from '@lavra/pades';
import { keyInFile } from '../keys/certificate-file.ts';
import { KeyError, cardOf } from '../keys/key.ts';
import type { KeyAtHand } from '../keys/key.ts';
import { listModules } from '../keys/pkcs11.ts';
import { tokenChoices } from '../keys/token-key.ts';
import { triesOfWindow } from '../pin-tries.ts';
import type { PinTries } from '../pin-tries.ts';
import { sha256Hex } from '../session.ts';
import type { Findings, Notice, Session } from '../session.ts';

const nothingFound: Findings = { modules: [], choices: [] };

/** Looks for tokens; the window shows meanwhile that it does. */
export function search(session: Session, modules: readonly string[], now: () => number): void {
  session.enter({ name: 'choice', findings: null });
  const waiting = session.phase;
  void listModules(modules).then((listed) => {
    if (session.phase !== waiting) return;
    const findings = { modules: listed, choices: tokenChoices(listed, now()) };
    session.lastFault = modules.length === 0 ? 'MODULE_NONE' : findings.choices.length === 0 ? 'CERTIFICATE_NONE' : 'REFUSED_BY_USER';
    session.enter({ name: 'choice', findings });
  });
}

function findingsOf({ phase }: Session): Findings {
  return (phase.name === 'choice' ? phase.findings : null) ?? nothingFound;
}

export function chooseToken(session: Session, name: string): void {
  const findings = findingsOf(session);
  const choice = findings.choices.find(({ key }, index) => name === `${sha256Hex(key.certificate)}-${index}`);
  if (choice === undefined || choice.card.hindrance !== null) return session.enter({ name: 'choice', findings }, 'NOTHING_CHOSEN');
  takeKey(session, choice.key);
}

function takeKey(session: Session, key: KeyAtHand): void {
  session.lastFault = 'REFUSED_BY_USER';
  session.enter({ name: 'awaiting', key });
}

const fileNotices: Partial<Record<string, Notice>> = {
  P12_WRONG_PASSWORD: 'FILE_PASSWORD',
  P12_UNSUPPORTED: 'FILE_UNSUPPORTED',
  P12_NO_KEY: 'FILE_NO_KEY',
};

/** Opens a certificate file; what is wrong with it is said in the window. */
export async function openFile(session: Session, file: ReturnType<FormData['get']>, password: string, now: number): Promise<void> {
  const before = session.phase;
  const again = (notice: Notice) => session.enter({ name: 'choice', findings: findingsOf(session) }, notice);
  if (file === null || typeof file === 'string' || file.size === 0) return again('NOTHING_CHOSEN');
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const key = await keyInFile(bytes, password);
    const card = cardOf(key.certificate, now);
    // Opening takes seconds: the page may have given up, or a second click been faster.
    if (session.phase !== before) return key.forget();
    if (card?.hindrance === null) return takeKey(session, key);
    key.forget();
    again(card === null || card.hindrance === 'key' ? 'FILE_UNSUPPORTED' : 'FILE_EXPIRED');
  } catch (error) {
    if (!(error instanceof PadesError)) throw error;
    if (session.phase === before) again(fileNotices[error.code] ?? 'FILE_DAMAGED');
  } finally {
    bytes.fill(0);
  }
}

/** Signs everything that was confirmed, all or nothing. Goes on in the background; the window follows. */
export function signAll(session: Session, pin: string, { now, elapsed, tries }: { now: number; elapsed: number; tries: PinTries }): void {
  const { phase } = session;
  if (phase.name !== 'confirmation') return;
  if (phase.expiresAt + 60_000 <= now) return session.fail('REQUEST_EXPIRED');
  const { key, documents } = phase;
  if (key.token !== null && tries.isResting(key.token, elapsed)) return session.enter(phase, 'PIN_REST');
  if (key.token !== null) tries.begin(key.token, elapsed);
  const tried = (outcome: 'right' | 'wrong' | 'unknown') => key.token !== null && tries.end(key.token, outcome);
  const messages = documents.map(({ digest, signedAttributes }) => ({ digest, bytes: signedAttributes }));
  session.phase = { name: 'signing' };
  session.turn += 1;
  void key.sign(messages, pin).then(
    (values) => {
      tried('right');
      key.forget();
      if (session.isOver) return;
      const signatures = documents.map(({ documentId }, index) => ({
        documentId,
        value: Buffer.from(values[index] ?? new Uint8Array()).toString('base64'),
      }));
      session.enter({ name: 'signed', signatures });
    },
    (error: unknown) => {
      const failure = error instanceof KeyError ? error : new KeyError('KEY_FAILED');
      tried(failure.fault === 'PIN_WRONG' || failure.fault === 'PIN_LOCKED' ? 'wrong' : 'unknown');
      if (failure.fault === 'PIN_WRONG') session.wrongPins += 1;
      if (session.isOver) return key.forget();
      if (failure.fault === 'PIN_LOCKED' || session.wrongPins >= triesOfWindow) {
        key.forget();
        return session.fail(failure.fault === 'PIN_LOCKED' ? 'PIN_LOCKED' : 'PIN_TRIES');
      }
      session.lastFault = lastFaults[failure.fault];
      session.enter(phase, noticeOf(failure));
    },
  );
}

const lastFaults: Record<Exclude<KeyError['fault'], 'PIN_LOCKED'>, LocalSignerFault> = {
  PIN_WRONG: 'PIN_WRONG',
  TOKEN_REMOVED: 'TOKEN_REMOVED',
  KEY_FAILED: 'KEY_FAILED',
  CANCELLED: 'REFUSED_BY_USER',
};

function noticeOf({ fault, pin }: KeyError): Notice {
  if (fault === 'PIN_LOCKED') return 'KEY_FAILED';
  if (fault !== 'PIN_WRONG') return fault;
  return pin === 'last' ? 'PIN_WRONG_LAST' : pin === 'low' ? 'PIN_WRONG_LOW' : 'PIN_WRONG';
}

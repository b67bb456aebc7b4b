import { randomBytes, webcrypto } from 'node:crypto';
import { commitmentTo, localSignerGreeted, meetingCode, meetingText } from '@lavra/api';
import type { Answer, Program } from './program.ts';

/** Where a page and the program stand once they have met. */
export interface Met {
  readonly session: string;
  readonly key: string;
  readonly code: string;
  /** Whether the proof holds for the key. */
  readonly holds: boolean;
}

/** The page's first call. */
export async function greet(program: Program, origin: string, nonce: string = randomBytes(32).toString('base64url')): Promise<Answer> {
  return program.call(origin, 'POST', '/v2/sessions', { commitment: await commitmentTo(nonce) });
}

/** A page that meets the program; the answer that refused it, else. */
export async function meet(program: Program, origin: string, show = false): Promise<Met | Answer> {
  const pageNonce = randomBytes(32).toString('base64url');
  const greeted = await greet(program, origin, pageNonce);
  if (greeted.status !== 201) return greeted;
  const { session, key, nonce } = localSignerGreeted.parse(greeted.json);
  const answer = await program.call(origin, 'POST', `/v2/sessions/${session}/meeting`, { nonce: pageNonce, show });
  if (answer.status !== 200) return answer;
  const meeting = { origin, port: program.port, key, pageNonce, signerNonce: nonce };
  return { session, key, code: await meetingCode(meeting), holds: await isProof(key, meetingText(meeting), answer.json.signature ?? '') };
}

async function isProof(key: string, text: string, signature: string): Promise<boolean> {
  const imported = await webcrypto.subtle.importKey('spki', Buffer.from(key, 'base64'), { name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'verify',
  ]);
  return webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, imported, Buffer.from(signature, 'base64'), Buffer.from(text));
}

/** A page that has met the program asks it for a certificate: 201 with the session, or what refused it first. */
export async function ask(program: Program, origin: string, request: string): Promise<Answer> {
  const met = await meet(program, origin);
  if ('status' in met) return met;
  const answer = await program.call(origin, 'POST', `/v2/sessions/${met.session}/certificate`, { request });
  return answer.status === 202 ? { ...answer, status: 201, json: { session: met.session } } : answer;
}

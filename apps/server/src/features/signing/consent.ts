import { createHash } from 'node:crypto';
import { DomainError, type Modality } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Locale } from '../../language/translator.ts';

/** The sentence a signer agrees to (MP 2.200-2/2001 art. 10 §2 wants the parties' acceptance of the means), and its hash. */
export function consentFor(ctx: Ctx, locale: Locale, title: string, modality: Modality): { text: string; hash: string } {
  const text = ctx.translate(locale, modality === 'digital' ? 'consent.digitalText' : 'consent.text', { title });
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}

/**
 * What an act says of the consent: null where it does not speak of it, which is recorded as missing and never as given.
 * @throws DomainError evidence.consentRequired: it names another sentence
 */
export function givenConsent(asked: ReturnType<typeof consentFor>, hash: string | null): ReturnType<typeof consentFor> | null {
  if (hash === null) return null;
  if (hash !== asked.hash) throw new DomainError('evidence.consentRequired', { field: 'consent' });
  return asked;
}

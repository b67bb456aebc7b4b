import { maskCpf, maskEmail, modelInWords } from '@lavra/domain';
import type { Appearance } from '@lavra/pades';
import type { Translator, Locale } from '../../../language/translator.ts';
import { formatInstant } from '../../../language/format-instant.ts';
import { drawable, modelStamp } from '../../../paper/model-stamp.ts';
import { placeInWords } from '../../../paper/place-in-words.ts';
import { regularFont } from '../../../paper/fonts.ts';
import type { Evidence } from '../signing.store.ts';

export interface SignerFacts {
  name: string;
  cpf: string;
  /** The provider whose word it is that the CPF is theirs; null: they say so. */
  cpfConfirmedBy: string | null;
  email: string;
  ip: string;
  channel: Evidence['channel'];
  latitude: number | null;
  longitude: number | null;
  accuracy: number | null;
  at: Date;
  certificateSerial: string;
  image: Uint8Array;
}

/** What stands in the signer's boxes. */
export function stampAppearance(facts: SignerFacts, locale: Locale, translate: Translator): Appearance & { text: string } {
  const words = translate(locale, 'stamp.electronic');
  return modelStamp(modelInWords('electronic', words), { ...facts, words });
}

/** The evidence block on the signature page. */
export function evidenceAppearance(facts: SignerFacts, locale: Locale, translate: Translator): Appearance & { text: string } {
  const t = (key: string, values: Record<string, string | number> = {}) => translate(locale, key, values);
  const place =
    facts.latitude === null || facts.longitude === null
      ? t('evidence.placeNotGiven')
      : t('evidence.place', placeInWords({ latitude: facts.latitude, longitude: facts.longitude, accuracy: facts.accuracy ?? 0 }, t));
  const text = [
    facts.cpfConfirmedBy === null
      ? t('evidence.signed', { name: facts.name, cpf: maskCpf(facts.cpf) })
      : t('evidence.signedConfirmed', { name: facts.name, cpf: maskCpf(facts.cpf), provider: drawable(facts.cpfConfirmedBy) }),
    t('evidence.when', { at: formatInstant(facts.at, true) }),
    t(facts.channel === 'confirmed' ? 'evidence.channelConfirmed' : 'evidence.channel', {
      email: drawable(maskEmail(facts.email)),
      ip: facts.ip,
    }),
    place,
    t('evidence.certificate', { serial: facts.certificateSerial }),
  ].join('\n');
  return { text, image: facts.image, imagePosition: 'LEFT', fontFile: regularFont, fontSize: 8, padding: 4 };
}

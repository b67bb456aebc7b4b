import { formatCnpj, maskCpf, maskEmail, modelInWords, type SignatureModel } from '@lavra/domain';
import type { CertificateHolder } from '@lavra/pades';
import type { Locale, Translator } from '../../../language/translator.ts';
import { formatInstant } from '../../../language/format-instant.ts';
import type { SignerAppearances } from '../field-fills.ts';
import { drawable, modelStamp } from '../../../paper/model-stamp.ts';
import { regularFont } from '../../../paper/fonts.ts';
import type { Evidence } from '../signing.store.ts';

export interface DigitalFacts {
  holder: CertificateHolder;
  /** Common name of who issued the certificate. */
  issuer: string;
  /** Hexadecimal. */
  serial: string;
  /** The creator's choice as it was when the process was created; null: the default. */
  model: SignatureModel | null;
  email: string;
  ip: string;
  channel: Evidence['channel'];
  at: Date;
  image: Uint8Array | null;
}

/** Everything shown comes from the certificate, nothing from the page. */
export function digitalAppearances(facts: DigitalFacts, locale: Locale, translate: Translator): SignerAppearances {
  const { holder, at, image } = facts;
  const cpf = holder.cpf ?? '';
  const t = (key: string, values: Record<string, string> = {}) => translate(locale, key, values);
  const words = t('stamp.digital');
  const text = [
    t('evidence.digitallySigned', { name: drawable(holder.name), cpf: maskCpf(cpf) }),
    ...(holder.kind === 'company'
      ? [t('evidence.byCompany', { cnpj: formatCnpj(holder.cnpj ?? ''), name: drawable(holder.responsible ?? '') })]
      : []),
    t('evidence.when', { at: formatInstant(at, true) }),
    t(facts.channel === 'confirmed' ? 'evidence.channelConfirmed' : 'evidence.channel', {
      email: drawable(maskEmail(facts.email)),
      ip: facts.ip,
    }),
    t('evidence.icpCertificate', { type: holder.type ?? '', serial: facts.serial, issuer: drawable(facts.issuer) }),
  ].join('\n');
  return {
    stamp: modelStamp(facts.model ?? modelInWords('digital', words), { name: holder.name, cpf, at, image, words }),
    block: { text, ...(image ? { image } : {}), imagePosition: image ? 'LEFT' : 'NONE', fontFile: regularFont, fontSize: 8, padding: 4 },
  };
}

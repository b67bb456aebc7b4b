import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { processEventTypes } from '@lavra/domain';
import type { Locale } from '../language/translator.ts';
import { drawEvidenceReport } from './evidence-report.worker.ts';
import { drawSignaturePages } from './signature-page.worker.ts';

const id = '6d0f1bd5-4f3a-4d2e-9a53-0d8f2f0a7c11';
const hash = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const verificationUrl = 'https://lavra.test/validateLogin';
const localesDir = fileURLToPath(new URL('../../../../locales', import.meta.url));
const at = new Date('2026-11-23T12:30:00Z');
const cnpj = '12345678000195';
const locales = ['pt-br', 'en', 'es'] as const;
const modalities = ['electronic', 'digital'] as const;

/** Letters and small words that only the other languages have. */
const foreign = {
  'pt-br': /[¿¡ñ]|\b(?:el|los|las|usted|firma|correo|the|and|signer)\b/iu,
  en: /[¿¡ãõçñéêóúâ]|\b(?:para|não|el|los|por|documento|assinado|firmado)\b/iu,
  es: /[ãõçêâ]|\b(?:não|pelo|uma|em|assinar|assinou|the|and|signer)\b/iu,
} as const;
const names = /Brasília|Lavra|“[^”]*Mozilla[^”]*”/gu;

const readAloud = (pdf: Uint8Array): string => execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString();

async function pagesIn(locale: Locale, modality: 'electronic' | 'digital'): Promise<string> {
  const { pdf } = await drawSignaturePages({
    processTitle: 'XK-7',
    documentName: 'a.pdf',
    documentId: id,
    sha256: hash,
    pageCount: 1,
    isLandscape: false,
    verificationUrl,
    letterhead: null,
    modality,
    locale,
    localesDir,
    signers: [
      { name: 'Kim', email: 'kim@lavra.test', cnpj },
      ...['Bo', 'Zoe'].map((name) => ({ name, email: 'bo@lavra.test', cnpj: null })),
    ],
  });
  return readAloud(pdf);
}

async function reportIn(locale: Locale, modality: 'electronic' | 'digital'): Promise<string> {
  const signer = {
    name: 'Kim',
    invitedName: 'Kimi',
    cpf: '52998224725',
    cnpj,
    email: 'kim@lavra.test',
    signedAt: at,
    isLinkConfirmed: true,
    cpfConfirmed: { by: 'gov.br', assurance: 'gold', at },
    ip: '203.0.113.20',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    place: { latitude: -23.55052, longitude: -46.63331, accuracy: 20.4 },
    consentText: 'X',
    consentHash: hash,
    certificateFingerprint: hash,
    imageHash: null,
    certificateType: modality === 'digital' ? 'A3' : null,
  };
  const bare = {
    place: null,
    consentText: null,
    consentHash: null,
    invitedName: null,
    cpfConfirmed: null,
    cnpj: null,
    isLinkConfirmed: false,
  };
  const file = { id, name: 'a.pdf', pageCount: 14, originalHash: hash, openedFrom: hash, pageHash: hash, signedHash: hash };
  return readAloud(
    await drawEvidenceReport({
      processId: id,
      title: 'XK-7',
      modality,
      verificationUrl,
      letterhead: null,
      createdAt: at,
      finishedAt: at,
      documents: [file],
      signers: [
        { ...signer, order: 0 },
        { ...signer, ...bare, order: 1 },
      ],
      events: processEventTypes.map((type) => ({ at, type, name: 'Kim', invitedName: null, hash })),
      isChainIntact: true,
      locale,
      localesDir,
      storage: { dataDir: '/nonexistent', s3: null },
    }),
  );
}

describe('papers, in every language', () => {
  for (const locale of locales)
    for (const modality of modalities)
      it(`say all that they say in ${locale}, ${modality}: no other language's words, nothing left to fill in, one form of time`, async () => {
        for (const said of [await pagesIn(locale, modality), await reportIn(locale, modality)]) {
          assert.doesNotMatch(said, /\{\{|\}\}|undefined|NaN|\b(?:report|evidence|page|event|place)\.[a-z]\w+/);
          assert.equal(foreign[locale].exec(said.replace(names, ''))?.[0], undefined);
          for (const [written] of said.matchAll(/\d+\/\d+\/20\d+ [\d:]+/g)) assert.equal(written, '23/11/2026 09:30:00');
        }
      });

  it('tell every kind of event there is', async () => {
    for (const locale of locales) {
      const said = await reportIn(locale, 'electronic');
      assert.equal(said.match(/^\f?23\/11\/2026 09:30:00 +\S/gm)?.length, processEventTypes.length, locale);
    }
  });
});

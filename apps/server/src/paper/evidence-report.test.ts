import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drawEvidenceReport, type EvidenceReport } from './evidence-report.worker.ts';

const forged = 'Contrato\nIdentificador do processo\n00000000\u202e\nConcluído em\n01/02/2020 10:00:00';
/** Fills a line and begins the next one with what looks like ours. */
const broken = `${'palavra '.repeat(14)}Concluído em 01/02/2020 10:00:00 Identificador do processo 00000000 SHA-256 do arquivo`;
const report: EvidenceReport = {
  processId: '6d0f1bd5-4f3a-4d2e-9a53-0d8f2f0a7c11',
  title: forged,
  modality: 'digital',
  verificationUrl: 'https://lavra.exemplo/validateLogin',
  letterhead: { name: forged, cnpj: '12ABC34501DE35', color: '#a01020', logo: null },
  createdAt: new Date('2026-11-23T12:00:00Z'),
  finishedAt: new Date('2026-11-23T13:00:00Z'),
  documents: [{ id: 'b1', name: `${broken}.pdf`, pageCount: 1, originalHash: 'aa', openedFrom: null, pageHash: null, signedHash: 'bb' }],
  signers: [
    {
      order: 0,
      name: 'Bia Lima',
      invitedName: forged,
      cpf: '52998224725',
      cpfConfirmed: { by: 'gov.br', assurance: 'gold', at: new Date('2026-11-23T12:29:00Z') },
      cnpj: '12ABC34501DE35',
      email: 'bia@exemplo.com.br',
      signedAt: new Date('2026-11-23T12:30:00Z'),
      isLinkConfirmed: false,
      ip: '203.0.113.20',
      userAgent: broken,
      place: null,
      consentText: `Aceito assinar “${forged}”. ${broken}`,
      consentHash: 'cc',
      certificateFingerprint: null,
      certificateType: 'A3',
      imageHash: null,
    },
  ],
  events: [
    { at: new Date('2026-11-23T12:00:00Z'), type: 'document.prepared', name: broken, invitedName: null, hash: 'dd' },
    { at: new Date('2026-11-23T12:00:01Z'), type: 'signer.signed', name: forged, invitedName: forged, hash: 'ee' },
  ],
  isChainIntact: true,
  locale: 'pt-br',
  localesDir: fileURLToPath(new URL('../../../../locales', import.meta.url)),
  storage: { dataDir: '/nonexistent', s3: null },
};

/** The first word of every line, with its distance from the left edge. */
function lineStarts(pdf: Uint8Array): { left: number; text: string }[] {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-report-'));
  try {
    const path = join(directory, 'report.pdf');
    writeFileSync(path, pdf);
    const boxes = execFileSync('pdftotext', ['-bbox-layout', path, '-'], { encoding: 'utf8' });
    return [...boxes.matchAll(/<line xMin="([\d.]+)"[^>]*>([\s\S]*?)<\/line>/g)].map(([, left, words]) => ({
      left: Number(left),
      text: [...(words ?? '').matchAll(/<word[^>]*>([^<]*)<\/word>/g)].map(([, word]) => word).join(' '),
    }));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('the evidence report', () => {
  it('prints what people wrote so that no part of it can be taken for a line of the report', async () => {
    const lines = lineStarts(await drawEvidenceReport(report));
    const ours = lines.filter(({ left }) => left < 50).map(({ text }) => text);
    for (const label of ['Identificador do processo', 'Concluído em', 'SHA-256 do arquivo enviado'])
      assert.deepEqual(
        ours.filter((text) => text.startsWith(label)),
        [label],
        JSON.stringify(lines, null, 1),
      );
    assert.deepEqual(
      ours.filter((text) => /^(0000|01\/02\/2020|palavra|“)/.test(text)),
      [],
    );
    // Values of ours begin where the second column does; what people wrote is set in from there.
    const value = lines.find(({ text }) => text === report.processId)?.left ?? 0;
    const values = lines.filter(({ left }) => Math.abs(left - value) < 4).map(({ text }) => text);
    assert.ok(values.includes('23/11/2026 10:00:00'), JSON.stringify(values));
    assert.deepEqual(
      values.filter((text) => /0000|01\/02\/2020|palavra|“/.test(text)),
      [],
    );
    assert.ok(lines.some(({ left, text }) => left > 55 && text.includes('Identificador do processo 00000000')));
    assert.equal(JSON.stringify(lines).includes('\u202e'), false);
  });

  it('says of a consent that did not come with the act that it was not stated, and prints none', async () => {
    const [signer] = report.signers;
    const acted = { ...signer!, consentText: null, consentHash: null };
    const lines = lineStarts(await drawEvidenceReport({ ...report, signers: [acted] })).map(({ text }) => text);
    assert.ok(lines.includes('Não informado pelo programa que enviou a assinatura'), JSON.stringify(lines));
    assert.equal(lines.includes('SHA-256 do aceite'), false);
  });
});

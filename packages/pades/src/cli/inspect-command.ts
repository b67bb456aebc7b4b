import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../pdf/inspect.ts';
import type { PdfInspection } from '../pdf/inspect.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import type { Change } from '../verify/report.ts';
import { describeChanges } from './changes.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';
import { openInput } from './files.ts';

const usage = `Uso: lavra-pades inspect <arquivo.pdf> [--pages <n>] [--json]

Diz o que o arquivo é, quantas revisões tem, o que cada assinatura cobre, o que mudou depois dela e o que ainda é permitido.
Não confere assinaturas: para isso, verify. Termina com 0 quando pode ser assinado, com 1 quando não.
  --pages <n>  de quantas páginas dar a geometria (padrão: 1)`;

/** What a signed field covers. */
interface Coverage {
  readonly fields: readonly string[];
  /** Where the signed bytes end. */
  readonly end: number;
  readonly coversWholeFile: boolean;
  readonly changes: readonly Change[];
}

/** `inspect`: what a file is, what is signed in it, what changed after each signature and what may still be done. */
export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'diz o que um PDF é, o que mudou nele e o que ele ainda permite',
  usage,
  options: { pages: { type: 'string' } },
  async run({ options, positionals, now }) {
    await using source = await openInput(positionals);
    const maxPages = Math.max(1, Number.parseInt(options.text('pages') ?? '1', 10) || 1);
    const pdf = await openPdf(source);
    const inspection = await inspectPdf(pdf, { maxPages });
    const coverages = await coveragesOf(pdf, now());
    return {
      lines: describe(inspection, pdf.sections.length, coverages),
      data: { ...inspection, sections: pdf.sections.length, coverages },
      exitCode: inspection.refusal === null ? exitCodes.done : exitCodes.refused,
    };
  },
};

/** Nobody is trusted: only what the bytes say is taken from the report. */
async function coveragesOf(pdf: Pdf, at: Date): Promise<Coverage[]> {
  if (pdf.encrypted) return [];
  const { signatures, documentTimestamps } = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at });
  const stamps = documentTimestamps.map((one) => ({ ...one, fields: one.field === null ? [] : [one.field] }));
  return [...signatures, ...stamps]
    .map(({ fields, end, coversWholeFile, changes }) => ({ fields, end, coversWholeFile, changes }))
    .toSorted((a, b) => a.end - b.end);
}

function describe(inspection: PdfInspection, sections: number, coverages: readonly Coverage[]): string[] {
  const { version, pageCount, size, refusal, certification, signatures, permits, recovered } = inspection;
  const words = { pages: 'páginas', textFields: 'campos de texto', visibleSignatureFields: 'campos visíveis', signatures: 'assinaturas' };
  const allowed = (Object.keys(words) as (keyof typeof words)[]).filter((key) => permits[key]).map((key) => words[key]);
  return [
    `PDF ${version}, ${pageCount} ${pageCount === 1 ? 'página' : 'páginas'}, ${size} bytes${recovered ? ', referências reconstruídas' : ''}`,
    `${sections} ${sections === 1 ? 'seção' : 'seções'} de referências cruzadas`,
    refusal === null ? 'Pode ser assinado' : `Não pode ser assinado: ${refusal}`,
    ...(certification === null ? [] : [`Certificado no nível ${certification}`]),
    `Ainda permite: ${allowed.length > 0 ? allowed.join(', ') : 'nada'}`,
    ...signatures.flatMap(({ name, signed, kind, subFilter }) => {
      if (!signed) return [`Campo ${name}: vazio`];
      const covers = coverages.find(({ fields }) => fields.includes(name));
      const extent =
        covers === undefined || covers.end === 0 ? '' : covers.coversWholeFile ? ', cobre o arquivo todo' : `, cobre ${covers.end} bytes`;
      const what = kind === 'timestamp' ? 'carimbo do tempo' : 'assinado';
      return [`Campo ${name}: ${what} (${subFilter})${extent}`, ...describeChanges(covers?.changes ?? [])];
    }),
  ];
}

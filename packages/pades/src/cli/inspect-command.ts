import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import type { PdfInspection } from '../inspect/inspect-pdf.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import type { Change } from '../verify/report.ts';
import { describeChanges } from './changes.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';
import { openInput } from './files.ts';
import { certifications, refusals } from './texts.ts';

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
    const revisions = revisionsOf(pdf);
    return {
      lines: describe(inspection, revisions, coverages),
      data: { ...inspection, revisions, coverages },
      exitCode: inspection.refusal === null ? exitCodes.done : exitCodes.refused,
    };
  },
};

/** Nobody is trusted: only what the bytes say is taken from the report. */
async function coveragesOf(pdf: Pdf, at: Date): Promise<Coverage[]> {
  if (pdf.locked) return [];
  const { signatures, documentTimestamps } = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at });
  const stamps = documentTimestamps.map((one) => ({ ...one, fields: one.field === null ? [] : [one.field] }));
  return [...signatures, ...stamps]
    .map(({ fields, end, coversWholeFile, changes }) => ({ fields, end, coversWholeFile, changes }))
    .toSorted((a, b) => a.end - b.end);
}

/**
 * How often the file was saved: one for each cross-reference section that continues an older one. The two of a linearized
 * file (ISO 32000-2, annex F) are one: there the newer stands before the older. Null for a file whose table was rebuilt.
 */
function revisionsOf({ sections }: Pdf): number | null {
  if (sections.length === 0) return null;
  return 1 + sections.filter(({ position }, index) => position > (sections[index + 1]?.position ?? Infinity)).length;
}

const grouped = new Intl.NumberFormat('pt-BR');

function counted(count: number, one: string, many: string): string {
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}

function describe(inspection: PdfInspection, revisions: number | null, coverages: readonly Coverage[]): string[] {
  const { version, pageCount, size, refusal, certification, signatures, permits } = inspection;
  const words = {
    pages: 'acrescentar páginas',
    textFields: 'criar campos de texto',
    visibleSignatureFields: 'criar campos visíveis de assinatura',
    signatures: 'assinar',
  };
  const allowed = (Object.keys(words) as (keyof typeof words)[]).filter((key) => permits[key]).map((key) => words[key]);
  const saved = revisions === null ? 'referências reconstruídas' : counted(revisions, 'revisão', 'revisões');
  // Of what cannot be read nobody knows how many pages it has, whatever it says.
  const unread = refusal === 'ENCRYPTED' || refusal === 'DAMAGED' || refusal === 'TOO_COMPLEX';
  const pages = unread ? [] : [counted(pageCount, 'página', 'páginas')];
  return [
    [`PDF ${version}`, ...pages, counted(size, 'byte', 'bytes'), saved].join(', '),
    refusal === null ? 'Pode ser assinado' : `Não pode ser assinado: ${refusals[refusal]} [${refusal}]`,
    ...(certification === null ? [] : [`Certificado pelo autor: ${certifications[certification]}`]),
    ...(allowed.length > 0 ? [`Ainda se pode: ${allowed.join(', ')}`] : []),
    ...signatures.flatMap(({ name, signed, kind, subFilter }) => {
      if (!signed) return [`Campo ${name}: vazio`];
      const covers = coverages.find(({ fields }) => fields.includes(name));
      const extent =
        covers === undefined || covers.end === 0
          ? ', não se sabe o que cobre'
          : covers.coversWholeFile
            ? ', cobre o arquivo todo'
            : `, cobre os primeiros ${grouped.format(covers.end)} bytes`;
      const what = kind === 'timestamp' ? 'carimbo do tempo' : 'assinado';
      return [`Campo ${name}: ${what} (${subFilter})${extent}`, ...describeChanges(covers?.changes ?? [])];
    }),
  ];
}

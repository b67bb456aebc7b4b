import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../pdf/inspect.ts';
import type { PdfInspection } from '../pdf/inspect.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';
import { openInput } from './files.ts';

const usage = `Uso: lavra-pades inspect <arquivo.pdf> [--pages <n>] [--json]

Diz o que o arquivo é e o que as assinaturas nele ainda permitem. Termina com 0 quando pode ser assinado, com 1 quando não.
  --pages <n>  de quantas páginas dar a geometria (padrão: 1)`;

/** `inspect`: what a file is, what is signed in it and what may still be done. */
export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'diz o que um PDF é e o que ele ainda permite',
  usage,
  options: { pages: { type: 'string' } },
  async run({ options, positionals }) {
    await using source = await openInput(positionals);
    const maxPages = Math.max(1, Number.parseInt(options.text('pages') ?? '1', 10) || 1);
    const inspection = await inspectPdf(await openPdf(source), { maxPages });
    return {
      lines: describe(inspection),
      data: { ...inspection },
      exitCode: inspection.refusal === null ? exitCodes.done : exitCodes.refused,
    };
  },
};

function describe(inspection: PdfInspection): string[] {
  const { version, pageCount, size, refusal, certification, signatures, permits, recovered } = inspection;
  const words = { pages: 'páginas', textFields: 'campos de texto', visibleSignatureFields: 'campos visíveis', signatures: 'assinaturas' };
  const allowed = (Object.keys(words) as (keyof typeof words)[]).filter((key) => permits[key]).map((key) => words[key]);
  return [
    `PDF ${version}, ${pageCount} ${pageCount === 1 ? 'página' : 'páginas'}, ${size} bytes${recovered ? ', referências reconstruídas' : ''}`,
    refusal === null ? 'Pode ser assinado' : `Não pode ser assinado: ${refusal}`,
    ...(certification === null ? [] : [`Certificado no nível ${certification}`]),
    `Ainda permite: ${allowed.length > 0 ? allowed.join(', ') : 'nada'}`,
    ...signatures.map(({ name, signed, kind, subFilter }) =>
      signed ? `Campo ${name}: ${kind === 'timestamp' ? 'carimbo do tempo' : 'assinado'} (${subFilter})` : `Campo ${name}: vazio`,
    ),
  ];
}

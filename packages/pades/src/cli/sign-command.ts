import type { SignaturePolicy } from '../cms/signed-attributes.ts';
import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import type { Rect } from '../pdf/geometry.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { certificateFileSigner, openCertificateFile } from '../p12/open-certificate-file.ts';
import { adRa14, adRb13, adRc14, adRt13 } from '../policies/icp-brasil.ts';
import type { SignatureFieldPlan } from '../prepare/plan.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { usageError } from './command.ts';
import type { Command, CommandInput, Options } from './command.ts';
import { assertFree, openInput, readBytes, readCertificates, writeOutput } from './files.ts';
import { timestampOverHttp } from './timestamp-over-http.ts';

const text = { type: 'string' as const };
const policies: Readonly<Record<string, SignaturePolicy>> = { 'AD-RB': adRb13, 'AD-RT': adRt13, 'AD-RC': adRc14, 'AD-RA': adRa14 };

/** `sign`: one signature with a certificate file. */
export const signCommand: Command = {
  name: 'sign',
  options: {
    ...Object.fromEntries(['out', 'p12', 'password-file', 'policy', 'tsa', 'digest', 'field', 'page', 'rect'].map((name) => [name, text])),
    ...Object.fromEntries(['text', 'image', 'reason', 'location', 'name', 'contact'].map((name) => [name, text])),
    chain: { type: 'string', multiple: true },
  },
  async run(input) {
    const { options } = input;
    const out = options.required('out');
    await assertFree(out);
    const policy = policies[options.choice('policy', Object.keys(policies)) ?? ''];
    const tsa = options.text('tsa');
    const timestamps = tsa === undefined ? undefined : timestampOverHttp(tsa);
    await using source = await openInput(input.positionals);
    const file = await openCertificateFile(await readBytes(options.required('p12')), await passwordOf(input));
    const own = await certificateFileSigner(file);
    file.privateKeyPkcs8.fill(0);
    const signer = { ...own, chain: [...own.chain, ...(await readCertificates(options.list('chain')))] };
    const pdf = await openPdf(source);
    const field = await fieldOf(pdf, options);
    const digest = options.choice('digest', ['sha256', 'sha384', 'sha512']);
    const revision = await signPdf(pdf, signer, {
      field,
      signingTime: input.now(),
      ...(policy ? { policy } : {}),
      ...(digest ? { digest } : {}),
      ...(timestamps ? { signatureTimestamp: timestamps } : {}),
      ...(await appearanceOf(options)),
      ...entriesOf(options),
    });
    await writeOutput(out, source, revision);
    const name = typeof field === 'string' ? field : field.name;
    const level = timestamps ? 'B-T' : 'B-B';
    return {
      lines: ({ sign }) => [sign.done({ field: name, level, policy: policy?.oid ?? null, out })],
      data: { out, field: name, level, policy: policy?.oid ?? null, size: revision.offset + revision.bytes.length },
    };
  },
};

async function passwordOf({ options, environment, readInput }: CommandInput): Promise<string> {
  const path = options.text('password-file');
  if (path === undefined) {
    const password = environment['LAVRA_P12_PASSWORD'];
    if (password === undefined) throw usageError(({ faults }) => faults.password);
    return password;
  }
  const content = path === '-' ? await readInput() : new TextDecoder().decode(await readBytes(path));
  return content.split(/\r?\n/, 1)[0] ?? '';
}

async function fieldOf(pdf: Pdf, options: Options): Promise<string | SignatureFieldPlan> {
  const at = positionOf(options);
  const { signatures } = await inspectPdf(pdf, { maxPages: 1 });
  const taken = new Set(signatures.map(({ name }) => name));
  const wanted = options.text('field');
  if (wanted !== undefined && at === undefined && taken.has(wanted)) return wanted;
  let number = 1;
  while (taken.has(`Signature${number}`)) number++;
  return { name: wanted ?? `Signature${number}`, ...(at ? { at } : {}) };
}

function positionOf(options: Options): { page: number; rect: Rect } | undefined {
  const rect = options.text('rect');
  if (rect === undefined) return undefined;
  const numbers = rect.split(',').map(Number);
  const [x, y, width, height] = numbers;
  if (numbers.length !== 4 || numbers.some((value) => !Number.isFinite(value))) throw usageError(({ faults }) => faults.rect);
  const page = Number(options.text('page') ?? '1');
  if (!Number.isInteger(page) || page < 1) throw usageError(({ faults }) => faults.page);
  return { page, rect: { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 } };
}

async function appearanceOf(options: Options): Promise<object> {
  const image = options.text('image');
  const said = options.text('text');
  if (image === undefined && said === undefined) return {};
  return {
    appearance: {
      ...(image === undefined ? {} : { image: await readBytes(image) }),
      ...(said === undefined ? {} : { text: said.replaceAll('\\n', '\n') }),
    },
  };
}

function entriesOf(options: Options): object {
  const entries = { name: 'name', reason: 'reason', location: 'location', contactInfo: 'contact' };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([key, option]) => {
      const value = options.text(option);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

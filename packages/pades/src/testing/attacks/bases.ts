import { extendPdf } from '../../extend/extend-pdf.ts';
import { openPdf } from '../../open-pdf.ts';
import { signPdf } from '../../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../../source.ts';
import type { Revision } from '../../source.ts';
import { fillSignature, signatureText } from './forge-signature.ts';
import type { CmsMaker, SignatureText } from './forge-signature.ts';
import type { AttackSigner, AttackWorld } from './world.ts';
import { revise, streamText } from './write-revision.ts';
import type { RevisionText } from './write-revision.ts';

/** Object numbers of the contract that every base is made from. */
export const at = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  font: 5,
  info: 6,
  resources: 7,
  metadata: 8,
  secondPage: 9,
  image: 10,
  secondContent: 11,
  link: 12,
  structure: 13,
  element: 14,
  form: 20,
  /** A text field anybody may fill. */
  open: 21,
  /** A read-only text field with a value. */
  fixed: 24,
  fixedLook: 25,
  /** Read-only text fields of the two signers, empty. */
  boxOfAna: 26,
  boxOfRui: 27,
  /** Empty signature fields, visible. */
  ana: 31,
  rui: 32,
  /** Numbers from here on are free. */
  free: 60,
} as const;

const visibleField = (type: string, name: string, rect: string, more = ''): string =>
  `<</Type/Annot/Subtype/Widget/FT/${type}/T(${name})/F 4/P 3 0 R/Rect[${rect}]${more}>>`;

const look = (content: string): string => streamText(content, '/Type/XObject/Subtype/Form/BBox[0 0 150 40]/Resources 7 0 R');

/** Objects of a two-page contract with a form, before anybody signed. */
export function contract(): Record<number, string> {
  return {
    [at.catalog]: '<</Type/Catalog/Pages 2 0 R/Metadata 8 0 R/AcroForm 20 0 R/StructTreeRoot 13 0 R/MarkInfo<</Marked true>>>>',
    [at.pages]: '<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2/MediaBox[0 0 595 842]>>',
    [at.page]:
      '<</Type/Page/Parent 2 0 R/Resources 7 0 R/Contents 4 0 R/Annots[12 0 R 21 0 R 24 0 R 26 0 R 27 0 R 31 0 R 32 0 R]/StructParents 0>>',
    [at.content]: streamText('BT /F1 24 Tf 60 700 Td (Valor: 100,00) Tj ET /X1 Do'),
    [at.font]: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    [at.info]: '<</Title(Contrato)/Author(Lavra)>>',
    [at.resources]: '<</Font<</F1 5 0 R>>/XObject<</X1 10 0 R>>>>',
    [at.metadata]: streamText('<x:xmpmeta/>', '/Type/Metadata/Subtype/XML'),
    [at.secondPage]: '<</Type/Page/Parent 2 0 R/Resources 7 0 R/Contents 11 0 R>>',
    [at.image]: streamText('0 0 10 10 re f', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'),
    [at.secondContent]: streamText('BT /F1 12 Tf 60 700 Td (Segunda pagina) Tj ET'),
    [at.link]: '<</Type/Annot/Subtype/Link/Rect[60 600 200 620]/Border[0 0 0]/A<</S/URI/URI(https://example.com)>>>>',
    [at.structure]: '<</Type/StructTreeRoot/K 14 0 R>>',
    [at.element]: '<</Type/StructElem/S/Document/P 13 0 R/Pg 3 0 R/K 0>>',
    [at.form]: '<</Fields[21 0 R 24 0 R 26 0 R 27 0 R 31 0 R 32 0 R]/SigFlags 3/DA(/F1 0 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>>>',
    [at.open]: visibleField('Tx', 'livre', '60 500 210 540', '/DA(/F1 12 Tf 0 g)/MaxLen 40'),
    [at.fixed]: visibleField('Tx', 'fixo', '60 450 210 490', '/Ff 1/V(Prazo: 30 dias)/DA(/F1 12 Tf 0 g)/AP<</N 25 0 R>>'),
    [at.fixedLook]: look('BT /F1 12 Tf 2 12 Td (Prazo: 30 dias) Tj ET'),
    [at.boxOfAna]: visibleField('Tx', 'box1', '60 180 210 220', '/Ff 1/V()/DA(/F1 8 Tf 0 g)'),
    [at.boxOfRui]: visibleField('Tx', 'box2', '260 180 410 220', '/Ff 1/V()/DA(/F1 8 Tf 0 g)'),
    [at.ana]: visibleField('Sig', 'ana', '60 80 210 155'),
    [at.rui]: visibleField('Sig', 'rui', '260 80 410 155'),
  };
}

/** Signed with the engine: what most attacks begin with. */
export async function append(bytes: Uint8Array, revision: Revision): Promise<Uint8Array> {
  return readAll(withRevision(memorySource(bytes), revision));
}

export async function sign(bytes: Uint8Array, world: AttackWorld, who: 'ana' | 'rui', fill = true): Promise<Uint8Array> {
  const box = who === 'ana' ? 'box1' : 'box2';
  const appearance = { text: `Assinado por ${who}` };
  const revision = await signPdf(await openPdf(memorySource(bytes)), world[who], {
    field: who,
    signingTime: world.at,
    reserve: 8192,
    appearance,
    fills: fill ? [{ field: box, value: `Assinado por ${who}`, appearance }] : [],
    crypto: world.crypto,
  });
  return append(bytes, revision);
}

/** How a base made by hand differs from the contract. */
export interface HandMade extends Omit<RevisionText, 'objects'> {
  readonly objects?: Readonly<Record<number, string>>;
  readonly signature?: SignatureText;
  readonly signer?: AttackSigner;
  readonly cms?: CmsMaker;
  /** The signature's field, without V. */
  readonly field?: string;
}

const signatureNumber = 40;

/** One revision with everything in it, the signature of `ana` too: for files whose signed bytes are already a trap. */
export async function handMade(world: AttackWorld, how: HandMade = {}): Promise<Uint8Array> {
  const own = contract();
  const { objects = {}, signature = {}, signer = world.ana, cms, field = own[at.ana] ?? '', ...rest } = how;
  const signed = field.replace(/>>$/, `/V ${signatureNumber} 0 R>>`);
  const all = { ...own, [at.ana]: signed, [signatureNumber]: signatureText(signature), ...objects };
  const text = revise(new Uint8Array(), { trailer: '/Info 6 0 R', prev: null, ...rest, objects: all });
  return fillSignature(text, signer, cms);
}

/** A certification (ISO 32000-2 §12.8.2.2): the statement in the signature, and the catalog's Perms. */
export function certified(world: AttackWorld, level: 1 | 2 | 3, objects: HandMade['objects'] = {}): Promise<Uint8Array> {
  const parameters = `/TransformParams<</Type/TransformParams/V/1.2/P ${level}>>`;
  const catalog = contract()[at.catalog] ?? '';
  return handMade(world, {
    signature: { entries: `/Reference[<</Type/SigRef/TransformMethod/DocMDP${parameters}>>]` },
    objects: { ...objects, [at.catalog]: catalog.replace(/>>$/, `/Perms<</DocMDP ${signatureNumber} 0 R>>>>`) },
  });
}

/** Everything an honest signer leaves behind. */
export interface Bases {
  /** One signature over the whole file. */
  readonly table: Uint8Array;
  readonly stream: Uint8Array;
  /** Two signers, both done. */
  readonly both: Uint8Array;
  readonly certified1: Uint8Array;
  readonly certified2: Uint8Array;
  readonly certified3: Uint8Array;
  /** With DSS and document timestamp. */
  readonly archived: Uint8Array;
  /** Page, resources and font in an object stream. */
  readonly compressed: Uint8Array;
}

export async function makeBases(world: AttackWorld): Promise<Bases> {
  const plain = (form: 'table' | 'stream') => revise(new Uint8Array(), { objects: contract(), form, trailer: '/Info 6 0 R', prev: null });
  const table = await sign(plain('table'), world, 'ana');
  const archive = await extendPdf(await openPdf(memorySource(table)), 'B-LTA', {
    timestamps: world.timestamps,
    revocations: world.revocations,
    at: world.at,
    crypto: world.crypto,
  });
  return {
    table,
    stream: await sign(plain('stream'), world, 'ana'),
    both: await sign(table, world, 'rui'),
    certified1: await certified(world, 1),
    certified2: await certified(world, 2),
    certified3: await certified(world, 3),
    archived: await append(table, archive),
    compressed: await handMade(world, compressedContract()),
  };
}

/** An object stream as text. */
export function objectStream(objects: Readonly<Record<number, string>>): string {
  let header = '';
  let body = '';
  for (const [num, text] of Object.entries(objects)) {
    header += `${num} ${body.length} `;
    body += `${text} `;
  }
  const entries = `/Type/ObjStm/N ${Object.keys(objects).length}/First ${header.length}`;
  return streamText(header + body, entries);
}

export const container = 45;

/** What the object stream of the `compressed` base holds. */
export function compressedObjects(): Record<number, string> {
  const own = contract();
  return Object.fromEntries([at.page, at.font, at.resources].map((num) => [num, own[num] ?? '']));
}

function compressedContract(): HandMade {
  const held = compressedObjects();
  const numbers = Object.keys(held).map(Number);
  return {
    form: 'stream',
    objects: { ...Object.fromEntries(numbers.map((num) => [num, 'null'])), [container]: objectStream(held) },
    rows: Object.fromEntries(numbers.map((num, index) => [num, { stream: container, index }])),
  };
}

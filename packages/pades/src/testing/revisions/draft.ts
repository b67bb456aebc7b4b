import { latin1Text } from '../../pdf/objects.ts';
import { fillSignature, signatureText } from '../attacks/forge-signature.ts';
import type { AttackSigner } from '../attacks/world.ts';
import { objectText, revise, withEntries } from '../attacks/write-revision.ts';
import type { RevisionText } from '../attacks/write-revision.ts';
import { no } from './documents.ts';

/** How a field is signed. */
export interface Signing {
  /** A certification of that level. */
  readonly certify?: 1 | 2 | 3;
  /** Entries of FieldMDP's transform parameters, the statement put into force. */
  readonly lock?: string;
}

/** The next revision of a file while it is being written: every object as it will stand. */
export class Draft {
  private readonly base: Uint8Array;
  private readonly objects: Record<number, string> = {};
  private next: number;

  constructor(base: Uint8Array) {
    this.base = base;
    this.next = Math.max(...[...latin1Text(base).matchAll(/\/Size\s+(\d+)/g)].map(([, size]) => Number(size)));
  }

  text(num: number): string {
    return this.objects[num] ?? objectText(this.base, num);
  }

  set(num: number, text: string): this {
    this.objects[num] = text;
    return this;
  }

  /** The new object's number. */
  add(text: string): number {
    const num = this.next++;
    this.objects[num] = text;
    return num;
  }

  replace(num: number, from: string | RegExp, to: string): this {
    const text = this.text(num);
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`nothing changed in object ${num}`);
    return this.set(num, changed);
  }

  entries(num: number, entries: string): this {
    return this.set(num, withEntries(this.text(num), entries));
  }

  write(more: RevisionText = {}): Uint8Array {
    return revise(this.base, { ...more, objects: { ...this.objects, ...more.objects } });
  }

  /** A new field that stands on a page, or `[0 0 0 0]`: nowhere to be seen. */
  field(entries: string, rect = '[0 0 0 0]', page: number = no.page): number {
    const num = this.add(`<</Type/Annot/Subtype/Widget${entries}/F 132/P ${page} 0 R/Rect${rect}>>`);
    this.annotation(num, page);
    return this.listed(num);
  }

  signatureField(name: string, rect?: string, page?: number): number {
    return this.field(`/FT/Sig/T(${name})`, rect, page);
  }

  /** A signature field whose widget is another object. */
  separateField(name: string, rect: string): { field: number; widget: number } {
    const widget = this.add(`<</Type/Annot/Subtype/Widget/F 132/P ${no.page} 0 R/Rect${rect}>>`);
    const field = this.add(`<</FT/Sig/T(${name})/Kids[${widget} 0 R]>>`);
    this.entries(widget, `/Parent ${field} 0 R`);
    this.annotation(widget, no.page);
    return { field: this.listed(field), widget };
  }

  annotation(num: number, page: number): void {
    if (this.text(page).includes('/Annots[')) this.replace(page, '/Annots[', `/Annots[${num} 0 R `);
    else this.entries(page, `/Annots[${num} 0 R]`);
  }

  /** Among the fields of the form, which comes into being with the first. */
  listed(num: number): number {
    if (!this.text(no.catalog).includes('/AcroForm')) {
      this.entries(no.catalog, `/AcroForm ${no.form} 0 R`).set(no.form, '<</Fields[]/SigFlags 3>>');
    }
    this.replace(no.form, '/Fields[', `/Fields[${num} 0 R `);
    return num;
  }

  sign(field: number, signer: AttackSigner, { certify, lock }: Signing = {}): Promise<Uint8Array> {
    const statement = (method: string, parameters: string): string =>
      `<</Type/SigRef/TransformMethod/${method}/Data 1 0 R/TransformParams<</Type/TransformParams/V/1.2${parameters}>>>>`;
    const statements = [
      ...(certify === undefined ? [] : [statement('DocMDP', `/P ${certify}`)]),
      ...(lock === undefined ? [] : [statement('FieldMDP', lock)]),
    ];
    const value = this.add(signatureText(statements.length > 0 ? { entries: `/Reference[${statements.join('')}]` } : {}));
    this.entries(field, `/V ${value} 0 R`);
    if (certify !== undefined) this.entries(no.catalog, `/Perms<</DocMDP ${value} 0 R>>`);
    return fillSignature(this.write(), signer);
  }

  /** A signature that no field shows. */
  signNowhere(signer: AttackSigner): Promise<Uint8Array> {
    this.add(signatureText());
    return fillSignature(this.write(), signer);
  }

  /** A new field, signed. */
  signNew(name: string, signer: AttackSigner, how?: Signing, rect?: string): Promise<Uint8Array> {
    return this.sign(this.signatureField(name, rect), signer, how);
  }
}

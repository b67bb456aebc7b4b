import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { init } from '@embedpdf/pdfium';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { maxPages, scale, withoutAlpha } from './picture.ts';
import type { Medium, Picture } from './picture.ts';

/** Flags of FPDF_RenderPageBitmap: annotations, red before blue, for a printer. */
const annotations = 0x01;
const reversed = 0x10;
const printing = 0x800;
const bgra = 4;
const white = 0xffffffff;
const flattenForPrint = 1;
const largestSide = 4000;

/** A file to draw, and for whom. */
export interface Asked {
  readonly file: Uint8Array;
  readonly medium: Medium;
}

class Pdfium {
  private readonly engine: WrappedPdfiumModule;

  constructor(engine: WrappedPdfiumModule) {
    this.engine = engine;
  }

  draw(file: Uint8Array, medium: Medium): Picture[] | null {
    const { engine } = this;
    const memory = engine.pdfium.wasmExports.malloc(file.length);
    this.heap().set(file, memory);
    const document = engine.FPDF_LoadMemDocument(memory, file.length, '');
    try {
      if (document === 0) return null;
      return medium === 'screen' ? this.shown(document) : this.printed(document);
    } finally {
      if (document !== 0) engine.FPDF_CloseDocument(document);
      engine.pdfium.wasmExports.free(memory);
    }
  }

  /** Fields are drawn by the form's own part, over the page, as Chromium does. */
  private shown(document: number): Picture[] {
    const { engine } = this;
    const info = engine.PDFiumExt_OpenFormFillInfo();
    const form = engine.PDFiumExt_InitFormFillEnvironment(document, info);
    engine.FPDF_SetFormFieldHighlightAlpha(form, 0);
    const pictures = this.eachPage(document, (page) => {
      engine.FORM_OnAfterLoadPage(page, form);
      const picture = this.bitmap(page, (bitmap, width, height) => {
        engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, annotations | reversed);
        engine.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, annotations | reversed);
      });
      engine.FORM_OnBeforeClosePage(page, form);
      return picture;
    });
    engine.PDFiumExt_ExitFormFillEnvironment(form);
    engine.PDFiumExt_CloseFormFillInfo(info);
    return pictures;
  }

  /** Chromium prints a copy whose annotations have become page content. */
  private printed(document: number): Picture[] | null {
    const { engine } = this;
    const copy = engine.FPDF_CreateNewDocument();
    try {
      if (!engine.FPDF_ImportPages(copy, document, '', 0)) return null;
      this.eachPage(copy, (page) => engine.FPDFPage_Flatten(page, flattenForPrint));
      return this.eachPage(copy, (page) =>
        this.bitmap(page, (bitmap, width, height) =>
          engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, printing | annotations | reversed),
        ),
      );
    } finally {
      engine.FPDF_CloseDocument(copy);
    }
  }

  private eachPage<T>(document: number, act: (page: number) => T): T[] {
    const { engine } = this;
    const results: T[] = [];
    for (let at = 0; at < Math.min(engine.FPDF_GetPageCount(document), maxPages); at++) {
      const page = engine.FPDF_LoadPage(document, at);
      if (page === 0) continue;
      results.push(act(page));
      engine.FPDF_ClosePage(page);
    }
    return results;
  }

  private bitmap(page: number, draw: (bitmap: number, width: number, height: number) => void): Picture {
    const { engine } = this;
    const side = (points: number) => Math.min(largestSide, Math.max(1, Math.round(points * scale)));
    const [width, height] = [side(engine.FPDF_GetPageWidthF(page)), side(engine.FPDF_GetPageHeightF(page))];
    const memory = engine.pdfium.wasmExports.malloc(width * height * 4);
    const bitmap = engine.FPDFBitmap_CreateEx(width, height, bgra, memory, width * 4);
    engine.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    draw(bitmap, width, height);
    const picture = withoutAlpha(width, height, this.heap().subarray(memory, memory + width * height * 4));
    engine.FPDFBitmap_Destroy(bitmap);
    engine.pdfium.wasmExports.free(memory);
    return picture;
  }

  /** Its memory moves when it grows. */
  private heap(): Uint8Array {
    return (this.engine.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
  }
}

const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
const engine = await init({ wasmBinary: Uint8Array.from(wasm).buffer });
engine.PDFiumExt_Init();
const drawer = new Pdfium(engine);
parentPort?.postMessage(null);
// A file that it stumbles over ends this thread: its memory is in disorder.
parentPort?.on('message', ({ file, medium }: Asked) => parentPort?.postMessage(drawer.draw(file, medium)));

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import * as api from '@lavra/api';
import { undrawableCharacters } from '@lavra/domain';
import * as fontkit from 'fontkit';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, signaturePng, signElectronically, startedProcess } from '../../../testing/processes.ts';
import { plainPicture } from '../../../paper/plain-picture.ts';

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** A PNG from its parts, right or wrong. `kind`: depth, colour type, interlacing. */
function png(width: number, height: number, rows: Buffer, { kind = [8, 0, 0], before = Buffer.alloc(0) } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([kind[0] ?? 8, kind[1] ?? 0, 0, 0, kind[2] ?? 0], 8);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([start, chunk('IHDR', header), before, chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

const noisyRows = (height: number, rowBytes: number) =>
  Buffer.concat(
    Array.from({ length: height }, (_, y) => Buffer.from([0, ...Array.from({ length: rowBytes }, (_row, x) => (x * 37 + y * 91) % 256)])),
  );

/** A baseline JPEG, gray, 16 × 16. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAQACABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APQKKKKKKKKKKKK//9k=',
  'base64',
);

let app: TestApp;
let ana: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('signature image', () => {
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  describe('the image of a signature', () => {
    const good = Buffer.from(signaturePng(), 'base64');
    const flipped = Buffer.from(good);
    flipped[60] = (flipped[60] ?? 0) ^ 0xff;
    const blank = Buffer.concat(Array.from({ length: 20 }, () => Buffer.from([0, ...Array.from({ length: 40 }, () => 255)])));
    const cases: [string, Buffer, string][] = [
      ['a PNG with a byte changed', flipped, 'evidence.imageDamaged'],
      ['a PNG cut in half', good.subarray(0, good.length / 2), 'evidence.imageDamaged'],
      ['a PNG with rows missing', png(120, 40, noisyRows(10, 120)), 'evidence.imageDamaged'],
      ['a PNG header and nothing else', good.subarray(0, 33), 'evidence.imageDamaged'],
      ['a JPEG cut in half', jpeg.subarray(0, jpeg.length / 2), 'evidence.imageDamaged'],
      ['1 × 1', png(1, 1, Buffer.from([0, 0])), 'evidence.imageTooSmall'],
      ['gigantic by its header', png(60_000, 60_000, noisyRows(2, 10)), 'evidence.imageTooLarge'],
      ['over two megabytes', Buffer.concat([good, Buffer.alloc(2 * 1024 * 1024)]), 'evidence.imageTooLarge'],
      ['an animated PNG', png(120, 40, noisyRows(40, 120), { before: chunk('acTL', Buffer.alloc(8, 1)) }), 'evidence.imageAnimated'],
      [
        'a GIF that calls itself PNG',
        Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
        'evidence.imageInvalid',
      ],
      ['an empty canvas', png(40, 20, blank), 'evidence.imageBlank'],
    ];

    it('is refused at the moment of the request with its reason beside the field, and nothing is lost', async () => {
      const { id, signerIds } = await startedProcess(app, ana);
      const [signer = ''] = signerIds;
      for (const [what, bytes, code] of cases) {
        const answer = await signElectronically(app, id, signer, { image: bytes.toString('base64') });
        assert.deepEqual([answer.status, answer.code], [400, code], what);
        const problem = answer.raw.json() as { detail: string; fieldErrors: { field: string; message: string }[] };
        assert.deepEqual(
          problem.fieldErrors.map(({ field, message }) => [field, message]),
          [['signatureImage', code]],
        );
        assert.doesNotMatch(problem.detail, /\{\{|undefined/, what);
        assert.equal((await app.call(api.getSignatureStatus, { params: { processId: id, signerId: signer } })).body.status, 'SENT', what);
      }
      assert.equal((await signElectronically(app, id, signer)).status, 204);
    });

    it('may be any still PNG or JPEG: it is drawn in the document and in the report', async () => {
      const kinds: [string, Buffer][] = [
        ['16 bits', png(40, 20, noisyRows(20, 80), { kind: [16, 0, 0] })],
        ['colour', png(40, 20, noisyRows(20, 120), { kind: [8, 2, 0] })],
        ['with alpha', png(40, 20, noisyRows(20, 160), { kind: [8, 6, 0] })],
        ['16 bits with alpha', png(40, 20, noisyRows(20, 320), { kind: [16, 6, 0] })],
        ['one bit', png(40, 20, noisyRows(20, 5), { kind: [1, 0, 0] })],
        ['JPEG', jpeg],
      ];
      for (const [what, bytes] of kinds) {
        const { id, signerIds } = await startedProcess(app, ana);
        const answer = await signElectronically(app, id, signerIds[0] ?? '', { image: bytes.toString('base64') });
        assert.equal(answer.code, undefined, what);
        const { body } = await app.call(api.getSignatureProcess, { token: ana.token, params: { id } });
        assert.equal(body.status, 'FINALIZED_WITH_SUCCESS', what);
      }
    });

    it('never stops the report when it cannot be read', () => {
      assert.equal(plainPicture(flipped.subarray(0, 70)), null);
      assert.ok(plainPicture(jpeg));
    });
  });

  describe('a name in a document', () => {
    const fonts = ['400Regular/SourceSans3_400Regular.ttf', '600SemiBold/SourceSans3_600SemiBold.ttf'].map((path) =>
      fontkit.create(readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/source-sans-3/${path}`))),
    );
    const isInFonts = (point: number) => fonts.every((font) => 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(point));

    it('may hold what the embedded font has, and nothing else: the table says the same as the font', () => {
      for (let point = 0x20; point < 0x30000; point += 1) {
        if (point >= 0xd800 && point <= 0xdfff) continue;
        const character = String.fromCodePoint(point);
        const isDrawable = undrawableCharacters(character) === '';
        // Canonically equal characters are compared by the one that is drawn.
        if (character.normalize('NFC') !== character) continue;
        if (/[\p{L}\p{M}]/u.test(character)) assert.equal(isDrawable, isInFonts(point), point.toString(16));
        else if (isDrawable) assert.ok(isInFonts(point), point.toString(16));
      }
    });

    it('is Latin with any accent; a script that cannot be drawn and emoji are told at once, to signer and creator', async () => {
      const { id, signerIds } = await startedProcess(app, ana);
      const [signer = ''] = signerIds;
      for (const [name, characters] of [
        ['山田 太郎', '山田太郎'],
        ['Bia 😀 Lima', '😀'],
        ['بيا ليما', 'بيالم'],
      ] as const) {
        const answer = await signElectronically(app, id, signer, { name });
        assert.deepEqual([answer.status, answer.code], [400, 'evidence.nameUndrawable'], name);
        const problem = answer.raw.json() as { detail: string; params: object; fieldErrors: { field: string }[] };
        assert.deepEqual([problem.params, problem.fieldErrors[0]?.field], [{ characters }, 'name']);
        assert.ok(problem.detail.includes(characters));
        const draft = await createDraft(app, ana);
        const added = await app.call(api.createSigner, {
          token: ana.token,
          body: {
            signer: { name, email: 'x@exemplo.com.br', order: 1, signatureProcess: { id: draft.id } },
            signatureVisibleActive: false,
            visibleSignature: [],
          },
        });
        assert.equal(added.code, 'signer.nameUndrawable');
      }
      const answer = await signElectronically(app, id, signer, { name: 'Zoë D’Ávila Ñandú Łukasz Őry Şahin Nguyễn' });
      assert.equal(answer.code, undefined);
      assert.equal((await app.call(api.getSignatureStatus, { params: { processId: id, signerId: signer } })).body.status, 'SIGNED');
    });

    it('stands beside an e-mail address in any script', async () => {
      const { id, signerIds } = await startedProcess(app, ana, { signers: [{ name: 'Taro', email: '太郎@例え.jp' }] });
      await signElectronically(app, id, signerIds[0] ?? '', { name: 'Taro Yamada' });
      const { body } = await app.call(api.getSignatureStatus, { params: { processId: id, signerId: signerIds[0] ?? '' } });
      assert.equal(body.status, 'SIGNED');
    });
  });
});

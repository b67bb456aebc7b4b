import { describe } from 'node:test';
import { join } from 'node:path';
import { tellBucket } from '../apps/server/src/testing/bucket-story.ts';
import { startVersity, versityProgram } from './versity.ts';

describe("blobs in a bucket of Versity's S3 gateway", () => {
  tellBucket(() => startVersity(versityProgram(join(import.meta.dirname, 'target'))));
});

import { describe } from 'node:test';
import { tellBucket } from '../testing/bucket-story.ts';
import { hasSwift, startSwift } from '../testing/swift.ts';

describe("blobs in a bucket of Debian's OpenStack Swift", { skip: hasSwift() ? false : 'OpenStack Swift is not installed' }, () => {
  tellBucket(startSwift);
});

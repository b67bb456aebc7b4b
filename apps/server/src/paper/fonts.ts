import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const load = (weight: string) => readFileSync(require.resolve(`@expo-google-fonts/source-sans-3/${weight}`));

/** Source Sans 3 (SIL Open Font License), whole Latin: embedded as a subset in what we draw. */
export const regularFont = load('400Regular/SourceSans3_400Regular.ttf');
export const boldFont = load('600SemiBold/SourceSans3_600SemiBold.ttf');

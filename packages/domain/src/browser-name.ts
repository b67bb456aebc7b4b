/** The order counts: whoever is built upon another one names that one too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (known: typeof BROWSERS, userAgent: string) => known.find(([mark]) => mark.test(userAgent))?.[1] ?? null;

/** What people call the browser that a session was opened with; null for what says nothing we know. */
export function browserOf(userAgent: string): string | null {
  return first(BROWSERS, userAgent);
}

/** What it runs on. */
export function systemOf(userAgent: string): string | null {
  return first(SYSTEMS, userAgent);
}

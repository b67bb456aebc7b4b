import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getLocalSignerKey } from '@lavra/api';

/** A site whose requests the user lets through to the window. */
export interface ApprovedSite {
  readonly origin: string;
  /** Its key, pinned: Ed25519, SPKI, base64. */
  readonly key: string;
  /** ISO 8601. */
  readonly approvedAt: string;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a page of this origin may speak to us at all: exactly as a browser writes it, https, or http on this very computer
 * (a development server).
 */
export function isOrigin(text: string): boolean {
  if (text.length > 300 || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === text && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname)));
}

/** The approved sites, in one file that only the user reads. All that this program ever remembers. */
export class ApprovedSites {
  readonly #folder: string;
  readonly #sites = new Map<string, ApprovedSite>();

  /** Throws when there is a file that cannot be read: what the user decided is not guessed at. */
  constructor(folder: string) {
    this.#folder = folder;
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    const file = JSON.parse(text) as { sites?: unknown };
    if (!Array.isArray(file.sites)) throw new Error(`${this.#path}: not the file of the approved sites`);
    for (const site of file.sites as ApprovedSite[]) {
      if (typeof site?.key !== 'string' || typeof site.origin !== 'string' || !isOrigin(site.origin))
        throw new Error(`${this.#path}: a broken entry`);
      this.#sites.set(site.origin, site);
    }
  }

  get #path(): string {
    return join(this.#folder, 'sites.json');
  }

  keyOf(origin: string): string | null {
    return this.#sites.get(origin)?.key ?? null;
  }

  approve(site: ApprovedSite): void {
    this.#sites.set(site.origin, site);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const next = `${this.#path}.new`;
    writeFileSync(next, `${JSON.stringify({ sites: [...this.#sites.values()] }, null, 2)}\n`, { mode: 0o600 });
    chmodSync(next, 0o600);
    renameSync(next, this.#path);
  }
}

const keyMilliseconds = 10_000;
const largestAnswer = 4096;

/** The site's key from the site itself, by its own certificate of TLS; null when it cannot be had. Follows no redirect. */
export async function fetchKey(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/${getLocalSignerKey.path}`, {
      redirect: 'error',
      credentials: 'omit',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(keyMilliseconds),
    });
    if (!response.ok || response.body === null) return null;
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.length > largestAnswer) return null;
    }
    const answer = getLocalSignerKey.reply?.safeParse(JSON.parse(text));
    return answer?.success ? answer.data.key : null;
  } catch {
    return null;
  }
}

import { setTimeout as pause } from 'node:timers/promises';

/** Somebody in front of the window, whose browser keeps its cookie and sends what browsers send. */
export class Person {
  readonly #url: string;
  readonly #language: string;
  #cookie = '';

  constructor(url: string, language = 'pt-BR') {
    this.#url = url;
    this.#language = language;
  }

  /** The page as it is now. */
  async look(): Promise<string> {
    const response = await fetch(this.#url, { headers: { cookie: this.#cookie, 'accept-language': this.#language } });
    this.#cookie ||= response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    return response.text();
  }

  /** Waits for a page that says this. */
  async see(text: string): Promise<string> {
    let page = '';
    for (let looks = 0; looks < 1200; looks++) {
      page = await this.look();
      if (page.includes(text)) return page;
      await pause(50);
    }
    throw new Error(`never seen: ${text}\n${page}`);
  }

  /** Presses a button; answers the status. */
  async press(action: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<number> {
    return this.#post(action, new URLSearchParams(fields), headers);
  }

  async giveFile(bytes: Uint8Array, password: string): Promise<number> {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes)], 'meu.pfx'));
    form.set('password', password);
    return this.#post('file', form, {});
  }

  async #post(action: string, body: URLSearchParams | FormData, headers: Record<string, string>): Promise<number> {
    const { origin } = new URL(this.#url);
    const response = await fetch(`${this.#url}/${action}`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie: this.#cookie, origin, ...headers },
    });
    await response.body?.cancel();
    return response.status;
  }
}

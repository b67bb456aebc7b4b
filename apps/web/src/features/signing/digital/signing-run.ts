import type { SignatureStatus } from '../use-signature-status.ts';
import type { Acting, Appearance, DigitalRequest } from './appearance.ts';
import { authorize, findProviders, forgetAuthorization, giveUp, keepAuthorization } from './authorization.ts';
import { forgetKeys, openCertificates, signWithFile } from './certificate-file.ts';
import { step } from './digital-signing.ts';
import { openProviderWindow, sendToProvider } from '../../../lib/provider-window.ts';
import { signLocally } from './sign-locally.ts';
import { faultOf } from './signing-fault.ts';
import type { DigitalSigning, Effect, SigningEvent, Step, Work } from './signing-state.ts';

/** What the page around the dialog knows and does. */
export interface SigningHost {
  acting: Acting;
  consentHash: string;
  /** The sentence of a key. */
  say(key: string): string;
  /** Keeps name and CPF on this device; null: forgets them. */
  remember(cpf: string | null): void;
  onMark(status: 'AUTHORIZING' | 'SIGNING'): void;
  onRefresh(): Promise<SignatureStatus | undefined>;
  onChanged(): void;
  onClose(): void;
}

/** A digital signature under way: holds the state, and does what its steps ask for, in the event that caused it. */
export class SigningRun {
  #host: SigningHost;
  #state: DigitalSigning;
  readonly #listeners = new Set<() => void>();
  readonly #stops = new Map<number, AbortController>();
  readonly #windows = new Map<number, Window | null>();
  #compared: ((code: string | null) => void) | null = null;
  /** What was given up last: nothing is begun at the server before it has heard of that. */
  #ending: Promise<void> = Promise.resolve();

  readonly #opening: Effect[];
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(host: SigningHost, [state, effects]: Step) {
    this.#host = host;
    this.#state = state;
    this.#opening = [...effects];
  }

  /** The page's latest word. */
  hear(host: SigningHost): void {
    this.#host = host;
  }

  /** The dialog is there. */
  enter(): void {
    clearTimeout(this.#leaving);
    for (const effect of this.#opening.splice(0)) this.#run(effect);
  }

  /** The dialog is gone; a moment later, for in development React takes every part away once and brings it back. */
  leave(): void {
    this.#leaving = setTimeout(() => this.send({ is: 'left' }));
  }

  readonly read = (): DigitalSigning => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly send = (event: SigningEvent): void => {
    const [next, effects] = step(this.#state, event);
    if (next !== this.#state) {
      this.#state = next;
      for (const listener of this.#listeners) listener();
    }
    for (const effect of effects) this.#run(effect);
  };

  #run(effect: Effect): void {
    const { acting } = this.#host;
    switch (effect.do) {
      case 'stop':
        this.#stops.get(effect.attempt)?.abort();
        this.#stops.delete(effect.attempt);
        return this.#closeWindow(effect.attempt);
      case 'closeWindow':
        return this.#closeWindow(effect.attempt);
      case 'reopenWindow':
        return this.send({ is: 'reached', reached: sendToProvider(openProviderWindow(this.#host.say('digital.opening')), effect.url) });
      case 'answer':
        return this.#compared?.(effect.code);
      case 'forgetKeys':
        return forgetKeys(effect.certificates);
      case 'keepAuthorization':
        return keepAuthorization(acting, effect.authorization);
      case 'forgetAuthorization':
        return forgetAuthorization(acting);
      case 'giveUp':
        return this.#giveUp();
      case 'remember':
        return this.#host.remember(effect.cpf);
      case 'mark':
        return this.#host.onMark(effect.status);
      case 'askStatus':
        return void this.#host.onRefresh();
      case 'reload':
        return this.#host.onChanged();
      case 'dismiss':
        return this.#host.onClose();
      default:
        return this.#begin(effect);
    }
  }

  /** Work answers with one event, or the one of its failure. What comes after a stop is the state's to ignore. */
  #begin(work: Work): void {
    const { attempt } = work;
    const stop = this.#stops.get(attempt) ?? new AbortController();
    this.#stops.set(attempt, stop);
    this.#work(work, stop.signal).then(this.send, (error: unknown) => {
      if (!stop.signal.aborted) this.send({ is: 'failed', attempt, fault: faultOf(error) });
    });
  }

  async #work(work: Work, signal: AbortSignal): Promise<SigningEvent> {
    const { attempt } = work;
    switch (work.do) {
      case 'search': {
        this.#windowOf(attempt, 'digital.searching');
        return { is: 'searched', attempt, ...(await findProviders(this.#host.acting, work.cpf, signal)) };
      }
      case 'authorize': {
        const opened = this.#windowOf(attempt, 'digital.opening');
        await this.#ending;
        signal.throwIfAborted();
        const authorization = await authorize(work.at, this.#request(work), signal);
        const reached = !signal.aborted && authorization.url !== null && sendToProvider(opened, authorization.url);
        if (reached) this.#windows.delete(attempt);
        return { is: 'authorized', attempt, authorization, reached };
      }
      case 'askHowItEnded':
        return { is: 'ended', attempt, status: (await this.#host.onRefresh())?.status };
      case 'openFile':
        return { is: 'opened', attempt, certificates: await openCertificates(work.file, work.password, signal) };
      case 'signWithFile':
        await this.#ending;
        await signWithFile(work.certificate.file, this.#request(work), (now) => this.send({ is: 'fileStep', attempt, step: now }), signal);
        return { is: 'sent', attempt };
      case 'signLocally': {
        await this.#ending;
        const onStep = (now: Extract<SigningEvent, { is: 'localStep' }>['step'], code: string | null) =>
          this.send({ is: 'localStep', attempt, step: now, code });
        const compare = (codes: readonly string[]) => this.#compare(attempt, codes);
        await signLocally(this.#request(work), { onStep, compare, forget: work.forget }, signal);
        return { is: 'sent', attempt };
      }
    }
  }

  #compare(attempt: number, codes: readonly string[]): Promise<string | null> {
    return new Promise((resolve) => {
      this.#compared = resolve;
      this.send({ is: 'question', attempt, codes });
    });
  }

  #request({ cpf, appearance }: { cpf: string; appearance: Appearance }): DigitalRequest {
    return { ...this.#host.acting, cpf, consentHash: this.#host.consentHash, appearance };
  }

  /** Opened in the click, when it is first asked for. */
  #windowOf(attempt: number, textKey: string): Window | null {
    const known = this.#windows.get(attempt);
    if (known !== undefined) return known;
    const opened = openProviderWindow(this.#host.say(textKey));
    this.#windows.set(attempt, opened);
    return opened;
  }

  #closeWindow(attempt: number): void {
    this.#windows.get(attempt)?.close();
    this.#windows.delete(attempt);
  }

  #giveUp(): void {
    this.#ending = giveUp(this.#host.acting)
      .catch((error: unknown) => this.send({ is: 'notGivenUp', fault: faultOf(error) }))
      .then(() => this.#host.onRefresh())
      .then(
        () => {},
        () => {},
      );
  }
}

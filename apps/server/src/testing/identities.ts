import * as api from '@lavra/api';
import { type IdentityWorld, type IdentityWorldOptions, type MakeBelieveIssuerId, signInAt, startIdentityWorld } from '@lavra/make-believe';
import { providerPresets } from '../identity/provider-presets.ts';
import type { ProviderSettings } from '../identity/provider-settings.ts';
import { type CallAnswer, startTestApp, type TestApp, type TestAppOptions, testPublicUrl } from './app.ts';
import { frozenClock } from './clock.ts';

/** The make-believe providers as an installation would have them configured. */
export function makeBelieveProviders(world: Pick<IdentityWorld, 'issuers'>): Record<MakeBelieveIssuerId, ProviderSettings> {
  const { google, govbr, empresa } = world.issuers;
  const preset = providerPresets.google;
  return { google: { ...preset, ...google }, govbr: { ...providerPresets.govbr, ...govbr }, empresa: { ...preset, ...empresa } };
}

export interface IdentityTestApp extends TestApp {
  world: IdentityWorld;
}

/** A test app with make-believe providers. Their clock is the computer's: so is the app's, until a test moves it. */
export async function startIdentityTestApp(
  options: TestAppOptions & Pick<IdentityWorldOptions, 'people'> & { providers?: Partial<ProviderSettings> } = {},
): Promise<IdentityTestApp> {
  const { people, providers, ...rest } = options;
  const isAllowedRedirect = (uri: string) => uri.startsWith(`${testPublicUrl}/`);
  const world = await startIdentityWorld({ isAllowedRedirect, ...(people ? { people } : {}) });
  const identityProviders = Object.values(makeBelieveProviders(world)).map((one) => ({ ...one, ...providers }));
  const app = await startTestApp({ clock: frozenClock(new Date()), ...rest, config: { identityProviders, ...rest.config } });
  const close = async () => {
    await app.close();
    await world.close();
  };
  return { ...app, world, close };
}

/** A browser's cookies: of the device and of the sign-in. */
export interface Browser {
  cookies: Map<string, string>;
}

export const newBrowser = (): Browser => ({ cookies: new Map() });

/** A call as this browser makes it. */
export async function callFrom<C extends api.Call>(
  app: TestApp,
  browser: Browser,
  call: C,
  input: Parameters<typeof app.call<C>>[1] = {},
): Promise<CallAnswer<C>> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await app.call(call, { ...input, headers: { ...input.headers, ...(cookie ? { cookie } : {}) } });
  for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    browser.cookies.set(name, value);
  }
  return answer;
}

/** The address of a provider for one sign-in. */
export async function beginAt(app: TestApp, browser: Browser, provider: string, rememberMe = false): Promise<string> {
  const { status, code, body } = await callFrom(app, browser, api.beginSocialSignIn, { body: { provider, rememberMe } });
  if (status !== 200) throw new Error(`a sign-in through ${provider} was answered ${status} ${code}`);
  return body.url;
}

/** Hands in what the provider sent the browser back with. */
export function comeBack(app: TestApp, browser: Browser, provider: string, address: string) {
  return callFrom(app, browser, api.finishSocialSignIn, { body: { provider, query: new URL(address).search } });
}

/** The whole way: to the provider as somebody, and back. */
export async function enterThrough(app: TestApp, browser: Browser, provider: MakeBelieveIssuerId, person: string | null) {
  return comeBack(app, browser, provider, await signInAt(await beginAt(app, browser, provider), person));
}

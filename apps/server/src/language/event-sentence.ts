import type { Locale, Translator } from './translator.ts';

/** What an event's sentence is made of. */
export interface ToldEvent {
  type: string;
  name: string;
  /** The invitation's, where somebody signed under another name, and the one that was corrected. */
  invitedName: string | null;
}

/** The facts of an event that its sentence names. */
export function toldEvent({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }): ToldEvent {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    type: sentenceOf(type, data),
    name: text(data['name']) ?? '',
    invitedName: text(data['invitedName']) ?? text(data['previousName']),
  };
}

/** Which sentence tells an event: one for each thing that happened. */
function sentenceOf(type: string, data: Readonly<Record<string, unknown>>): string {
  if (type === 'link.handedOut' && data['to'] === 'creator') return 'link.handedOutToCreator';
  if (type === 'signer.consented' && data['consent'] === null) return 'signer.askedWithoutConsent';
  return type;
}

/** An event as people read it; `shown` writes what comes from a person. */
export function eventSentence(translate: Translator, locale: Locale, event: ToldEvent, shown = (text: string) => text): string {
  const { type, name, invitedName } = event;
  const written = (text: string) => (text === '' ? '' : shown(text));
  if (invitedName === null) return translate(locale, `event.${type}`, { name: written(name) });
  return translate(locale, `event.${type}As`, { name: written(name), invited: written(invitedName) });
}

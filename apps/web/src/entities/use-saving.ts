import { useRef } from 'react';
import { leftSince, useGo } from '../lib/go.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useAct } from '../lib/calls.ts';
import { showToast } from '../ui/toasts.ts';
import type { EntityView } from './entity-view.ts';
import { useBack } from './use-back.ts';

export type Item = Readonly<Record<string, unknown>> & { readonly id: string | number; readonly version: number };

/** Reading the record anew. */
export interface Reading {
  /** Shows it as it is now, after somebody else changed it, in place of what was typed. */
  reload(): void;
  /** The same after an act beside the form: what is being typed stays. */
  follow(): void;
}

/** Saving one record: a new one, or a change that overwrites nobody else's. */
export interface Saving extends Reading {
  /** Returns to the list when it is done. */
  save(values: object): Promise<void>;
  readonly busy: boolean;
  readonly failure: Error | null;
  /** What the failure asked for is being done. */
  forget(): void;
  /** The list as one left it. */
  readonly back: string;
}

export function useSaving(view: EntityView, item: Item | null, reading: Reading): Saving {
  const { t } = useTranslation();
  const go = useGo();
  const back = useBack(view);
  const { entity } = view;
  const changes = [entity.list, entity.search, entity.get];
  const creation = useAct(entity.create, changes);
  const change = useAct(entity.update, changes);
  const { busy, failure, forget } = item === null ? creation : change;
  const keyFor = useOnceKey();
  const save = async (values: object) => {
    const hasLeft = leftSince();
    const saved =
      item === null
        ? await creation.act({ body: { ...view.bornWith, ...values } as never, idempotencyKey: keyFor(values) })
        : await change.act({ params: { id: item.id as never }, body: { ...values, id: item.id, version: item.version } as never });
    if (!saved) return;
    const message = item === null ? 'entity.created' : 'entity.saved';
    if (hasLeft()) showToast({ text: t(message) });
    else await go(back, { state: { message } });
  };
  return { save, busy, failure, forget, back, ...reading };
}

/** The same values sent again, after an answer that did not arrive, are one act. */
function useOnceKey(): (values: object) => string {
  const last = useRef({ said: '', key: '' });
  return (values) => {
    const said = JSON.stringify(values);
    if (last.current.said !== said) last.current = { said, key: crypto.randomUUID() };
    return last.current.key;
  };
}

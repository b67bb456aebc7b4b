import { useSearchParams } from 'react-router';
import { type Frame, Page } from '../shell/page.tsx';
import { Icon } from '../ui/icons.tsx';
import { KitActs } from './kit-acts.tsx';
import { KitFields, KitForm } from './kit-fields.tsx';
import { KitStates, KitTable } from './kit-lists.tsx';
import { useKitWords } from './use-kit-words.ts';

const frames: readonly Frame[] = ['form', 'list', 'workspace'];

/** `/dev/kit`: every part that pages are put together from. Theme and language are the header's; the frame is the address's. */
export function Component() {
  const w = useKitWords();
  const [search, setSearch] = useSearchParams();
  const frame = frames.find((one) => one === search.get('frame')) ?? 'list';
  return (
    <Page title={w('title')} frame={frame}>
      <p>{w('about')}</p>
      <div className="tabs" role="group" aria-label={w('frame')}>
        {frames.map((one) => (
          <button key={one} type="button" aria-pressed={one === frame} onClick={() => setSearch({ frame: one }, { replace: true })}>
            {one}
          </button>
        ))}
      </div>
      <Letters />
      <KitFields />
      <KitForm />
      <KitActs />
      <KitTable />
      <KitStates />
    </Page>
  );
}

function Letters() {
  const w = useKitWords();
  return (
    <section className="card" aria-labelledby="kit-type">
      <h2 id="kit-type">{w('type')}</h2>
      <h3>{w('heading')}</h3>
      <p>
        {w('text')} <a href="#kit-type">{w('link')}</a>.
      </p>
      <p className="hint">{w('hint')}</p>
      <div className="actions">
        <button type="button" className="primary">
          {w('primary')}
        </button>
        <button type="button">
          <Icon name="plus" /> {w('usual')}
        </button>
        <button type="button" className="danger">
          {w('danger')}
        </button>
        <button type="button" className="quiet">
          {w('quiet')}
        </button>
        <button type="button" disabled>
          {w('disabled')}
        </button>
      </div>
    </section>
  );
}

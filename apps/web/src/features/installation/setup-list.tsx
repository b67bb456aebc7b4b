import { getSetup, type Setup, type SetupStepName } from '@lavra/api';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { Icon } from '../../ui/icons.tsx';

const rooms: Record<SetupStepName, string> = {
  address: 'configuration',
  mail: 'health',
  administrator: 'users',
  secondFactor: 'second-factor',
  icpBrasil: 'certificates',
  timestamps: 'configuration',
};
const badges: Record<Setup[number]['state'], string> = { done: 'badge-good', advised: 'badge-wait', open: 'badge-bad' };

/** What is left to set up, in order, each with its state and the room where it is done; what could not be asked is left out. */
export function SetupList() {
  const { t } = useTranslation();
  const { data: steps } = useCall(getSetup, {});
  if (!steps) return null;
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <section className="card setup" aria-labelledby="setup">
      <div className="setup-heading">
        <h2 id="setup">{t('setup.title')}</h2>
        <span className="muted">{t('setup.progress', { done, total: steps.length })}</span>
      </div>
      {done === steps.length ? (
        <p>{t('setup.allDone')}</p>
      ) : (
        <ol>
          {steps.map((step) => (
            <Step key={step.name} {...step} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Step({ name, state }: Setup[number]) {
  const { t } = useTranslation();
  return (
    <li className={`setup-step setup-${state}`}>
      <span className="setup-mark" aria-hidden="true">
        {state === 'done' && <Icon name="check" />}
      </span>
      <span className="told grow">
        <Link to={`/admin/${rooms[name]}`}>{t(`setup.${name}`)}</Link>
        <span className="hint">{t(`setup.${name}.${state}`)}</span>
      </span>
      <span className={`badge ${badges[state]}`}>{t(`setup.state.${state}`)}</span>
    </li>
  );
}

import type { InstallationHealth } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { formatDuration } from './words.ts';

/** Which program answered: with several, each has its own numbers. */
export function NodeFacts({ node }: { node: InstallationHealth['node'] }) {
  const { t } = useTranslation();
  const facts: [string, string][] = [
    ['name', node.name],
    ['version', `Lavra ${node.version}, ${node.runtime}`],
    ['profile', node.profile],
    ['services', node.services.join(', ')],
    ['startedAt', `${formatDateTime(node.startedAt)} (${formatDuration((Date.now() - Date.parse(node.startedAt)) / 1000)})`],
  ];
  return (
    <section className="card" aria-labelledby="node">
      <h2 id="node">{t('installation.node')}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{t(`installation.node.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

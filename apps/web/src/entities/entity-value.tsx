import { Fragment } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { type EntityField, isBlank, shownOf } from './entity-field.ts';
import type { EntityView } from './entity-view.ts';

/** A value of a record as people read it; another record leads to its own screen. */
export function EntityValue({ view, field, value }: { view: EntityView; field: EntityField; value: unknown }) {
  const { t, i18n } = useTranslation();
  if (isBlank(value)) return <span className="muted">{t(`${view.words}.blank`)}</span>;
  const shown = (one: unknown) => shownOf(field, one, { t, language: i18n.language, words: view.words });
  if (field.kind !== 'reference' || !field.at) return shown(value);
  return ([value].flat() as { id: string }[]).map((one, index) => (
    <Fragment key={one.id}>
      {index > 0 && ', '}
      <Link to={`${field.at}/${one.id}`}>{shown(one)}</Link>
    </Fragment>
  ));
}

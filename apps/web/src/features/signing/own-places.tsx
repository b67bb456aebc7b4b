import { useTranslation } from '../../lib/i18n.ts';
import { type PageLayout, toPixels } from '../../pdf/page-layout.ts';
import { StampPreview } from '../../pdf/stamp-preview.tsx';
import type { SignerInformation } from './signer-information.ts';

type Me = NonNullable<SignerInformation['me']>;

interface OwnPlacesProps {
  layout: PageLayout;
  me: Me;
  places: Me['places'];
  /** Undefined: nobody has asked for one yet. */
  picture: string | null | undefined;
}

/** Where one's own signature will stand on the pages, drawn as it will be as far as that is known; once it is there, a frame around it. */
export function OwnPlaces({ layout, me, places, picture }: OwnPlacesProps) {
  const { t } = useTranslation();
  return places.map(({ page: number, rect }, index) => {
    const page = layout.pages[number - 1];
    if (!page) return null;
    const isSigned = me.status === 'SIGNED';
    return (
      <div
        // Two may stand on the same spot; their number does not change.
        key={index}
        className="own-place"
        style={toPixels(rect, page, layout.zoom)}
        role="img"
        aria-label={t(isSigned ? 'signer.ownPlaceSigned' : 'signer.ownPlace', { page: number })}
      >
        <span className="own-place-mark">{t('signer.yourPlace')}</span>
        {/* What was signed stands on the page itself, with its own picture, CPF and moment. */}
        {!isSigned && <StampPreview name={me.name} zoom={layout.zoom} model={me.model} picture={picture} />}
      </div>
    );
  });
}

import { Fragment } from 'react';

/** An e-mail that breaks, where there is no room for its line, behind its `@` and its points rather than anywhere. */
export function EmailText({ email }: { email: string }) {
  return email.split(/(?<=[@.])/).map((part, index) => (
    // A part has no other name than its place.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

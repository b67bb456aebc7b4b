import { Navigate, useParams } from 'react-router';

/** The specification's own address of a company's deletion. */
export function CompanyDeletionAddress() {
  const { id = '' } = useParams();
  return <Navigate to={`/entity/company/${id}/delete`} replace />;
}

"""pyhanko_judge.py FOLDER: judges every file of FOLDER/manifest.tsv, trusting FOLDER/root-*.der.

Every signature must be what `pyhanko sign validate` calls valid, revocation required, later changes no more than form
filling. What claims more must besides pass, with nothing but what the file carries, the process of EN 319 102-1 made
for it, pyHanko's heir of the LTV profiles: B-LTA that of §5.6 (`pyhanko sign adesverify`), B-LT that of §5.5. Files
below B-LT are judged with FOLDER/list-*.crl. Nothing is fetched.

Hybrid files are read with strictness off (`--no-strict-syntax`): pyHanko refuses them otherwise, whatever the
signatures are."""
import asyncio, collections, glob, logging, os, sys
from asn1crypto import crl
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.ades import ades_lta_validation, ades_with_time_validation
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.policy_decl import (
    CertificateFetchingRule, LocalKnowledge, PdfSignatureValidationSpec, RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec, SignatureValidationSpec)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, FreshnessReqType, REQUIRE_REVINFO
from pyhanko_certvalidator.revinfo.archival import CRLContainer
from pyhanko_certvalidator.registry import SimpleTrustManager

logging.disable(logging.CRITICAL)
PERMITTED = (None, ModificationLevel.NONE, ModificationLevel.LTA_UPDATES, ModificationLevel.FORM_FILLING)


def ades_spec(roots, knowledge=LocalKnowledge()):
    policy = CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build(trust_roots=roots),
        revinfo_policy=CertRevTrustPolicy(revocation_checking_policy=REQUIRE_REVINFO))
    return SignatureValidationSpec(
        cert_validation_policy=policy,
        local_knowledge=knowledge,
        revinfo_gathering_policy=RevocationInfoGatheringSpec(
            online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY,
            certificate_fetching_rule=CertificateFetchingRule.NEVER_FETCH))


async def validated_as(baseline, signature, roots):
    """EN 319 102-1 §5.6 reads the DSS and wants a document timestamp over it; §5.5 is handed what is in the DSS."""
    if baseline == 'B-LTA':
        return await ades_lta_validation(signature, PdfSignatureValidationSpec(ades_spec(roots)))
    dss = DocumentSecurityStore.read_dss(signature.reader)
    lists = [CRLContainer(crl.CertificateList.load(reference.get_object().data)) for reference in dss.crls]
    return await ades_with_time_validation(
        signature.signed_data,
        ades_spec(roots, LocalKnowledge(known_certs=list(dss.load_certs()), known_crls=lists)),
        raw_digest=signature.compute_digest())


def context(roots, lists, reader, own_material):
    """Revocation required: from the file's DSS where its level promises one, from outside else."""
    how = dict(trust_roots=roots, allow_fetching=False, revocation_mode='require')
    if own_material:
        return DocumentSecurityStore.read_dss(reader).as_validation_context(how)
    return ValidationContext(crls=lists, **how)


def objections(path, kind, baseline, roots, lists):
    """What pyHanko has against the file: (code, explanation), nothing when it accepts it."""
    found = []
    with open(path, 'rb') as f:
        reader = PdfFileReader(f, strict=kind != 'a hybrid')
        if not reader.embedded_regular_signatures:
            return [('error', 'no signature')]
        own_material = baseline in ('B-LT', 'B-LTA')
        stamps = list(reader.embedded_timestamp_signatures)
        if bool(stamps) != (baseline == 'B-LTA'):
            found.append(('error', f'{len(stamps)} document timestamps'))
        for stamp in stamps:
            status = validate_pdf_timestamp(stamp, context(roots, lists, reader, own_material))
            if not (status.intact and status.valid and status.trusted):
                found.append(('error', f'document timestamp {status.summary()}'))
        for signature in reader.embedded_regular_signatures:
            validation = context(roots, lists, reader, own_material)
            status = validate_pdf_signature(signature, validation, context(roots, lists, reader, own_material))
            if not (status.intact and status.valid and status.trusted):
                found.append(('error', f'{signature.field_name} {status.summary()}'))
            stamp = status.timestamp_validity
            if (stamp is not None) != (baseline != 'B-B'):
                found.append(('error', f'{signature.field_name} timestamp: {stamp is not None}'))
            if status.modification_level not in PERMITTED:
                found.append(('changes', f'{signature.field_name} {status.modification_level}'))
            elif not status.bottom_line:
                found.append(('error', f'{signature.field_name} {status.summary()}'))
            if own_material:
                result = asyncio.run(validated_as(baseline, signature, roots))
                if result.ades_subindic != AdESPassed.OK:
                    found.append(('error', f'{signature.field_name} as {baseline}: {result.ades_subindic} {result.failure_msg}'))
    return found


def judge(path, kind, baseline, roots, lists):
    try:
        return objections(path, kind, baseline, roots, lists)
    except Exception as e:
        return [('error', f'{type(e).__name__}: {e}')]


def main():
    folder = sys.argv[1]
    roots = [load_cert_from_pemder(path) for path in sorted(glob.glob(os.path.join(folder, 'root-*.der')))]
    lists = [crl.CertificateList.load(open(path, 'rb').read()) for path in sorted(glob.glob(os.path.join(folder, 'list-*.crl')))]
    accepted, failed, refusals = 0, 0, collections.Counter()
    for line in open(os.path.join(folder, 'manifest.tsv'), encoding='utf-8'):
        name, _level, baseline, _policy, _key, kind, known, _dss = line.rstrip('\n').split('\t')
        found = judge(os.path.join(folder, name), kind, baseline, roots, lists)
        if known and found and all(code == known.split(':')[0] for code, _ in found):
            refusals[known.split(': ', 1)[1]] += 1
        elif not found and not known:
            accepted += 1
        else:
            failed += 1
            print(f'  {name}:', '; '.join(text for _, text in found) or f'accepted, although "{known}"')
    print(f'pyHanko: {accepted} accepted', *(f'{count} known refusals ({reason})' for reason, count in refusals.items()),
          *([f'{failed} NOT'] if failed else []), sep=', ')
    sys.exit(1 if failed else 0)


main()

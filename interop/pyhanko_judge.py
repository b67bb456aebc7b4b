"""judge_pyhanko.py [-t ISO-TIME] root.pem[,root2.pem] file.pdf...

Exit 1 unless pyHanko calls every signature valid (bottom_line) and every later change permitted (LTA updates or form
filling). With a document timestamp in the file: full AdES-LTA validation, which also holds after certificates expired.
-t: pretend it is that moment (e.g. after the signers' short-lived certificates have expired)."""
import asyncio, datetime, logging, sys
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.ades import ades_lta_validation
from pyhanko.sign.validation.policy_decl import (
    CertificateFetchingRule, PdfSignatureValidationSpec, RevinfoOnlineFetchingRule, RevocationInfoGatheringSpec,
    SignatureValidationSpec)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, REQUIRE_REVINFO
from pyhanko_certvalidator.registry import SimpleTrustManager
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo

logging.basicConfig(level=logging.CRITICAL)


def spec(roots):
    policy = CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build(trust_roots=roots),
        revinfo_policy=CertRevTrustPolicy(revocation_checking_policy=REQUIRE_REVINFO))
    return PdfSignatureValidationSpec(SignatureValidationSpec(
        cert_validation_policy=policy,
        revinfo_gathering_policy=RevocationInfoGatheringSpec(
            online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY,
            certificate_fetching_rule=CertificateFetchingRule.NEVER_FETCH)))


def main():
    args = sys.argv[1:]
    moment = None
    if args[0] == '-t':
        moment = datetime.datetime.fromisoformat(args[1])
        args = args[2:]
    roots = [load_cert_from_pemder(r) for r in args[0].split(',')]
    ok = True
    for path in args[1:]:
        print('==', path)
        with open(path, 'rb') as f:
            reader = PdfFileReader(f, strict=True)
            if reader.xrefs.hybrid_xrefs_present:
                # pyHanko refuses hybrid-reference files in strict mode whatever the signatures are
                print('  (hybrid-reference file: strict mode off)')
                reader = PdfFileReader(f, strict=False)
            signatures = reader.embedded_signatures
            lta = any(s.sig_object_type == '/DocTimeStamp' for s in signatures)
            for s in signatures:
                at = {'moment': moment} if moment else {}
                context = ValidationContext(trust_roots=roots, allow_fetching=False, **at)
                if s.sig_object_type == '/DocTimeStamp':
                    status = validate_pdf_timestamp(s, context)
                    good = status.intact and status.valid and status.trusted
                    how = 'timestamp'
                elif lta:
                    timing = ValidationTimingInfo.now() if moment is None else ValidationTimingInfo(moment, moment, False)
                    result = asyncio.run(ades_lta_validation(s, spec(roots), timing_info=timing))
                    status = result.api_status
                    good = isinstance(result.ades_subindic, AdESPassed) or result.ades_subindic == AdESPassed.OK
                    how = f'AdES-LTA {result.ades_subindic} {result.failure_msg or ""}'
                else:
                    status = validate_pdf_signature(s, context, ValidationContext(trust_roots=roots, allow_fetching=False, **at))
                    good = status.bottom_line
                    how = 'basic'
                level = status.modification_level
                permitted = level in (None, ModificationLevel.NONE, ModificationLevel.LTA_UPDATES, ModificationLevel.FORM_FILLING)
                print(' ', 'good' if good and permitted else 'BAD ', s.field_name, '|', how, '|', status.summary(), '|',
                      level, '|', getattr(status, 'coverage', None))
                ok &= bool(good and permitted)
    sys.exit(0 if ok else 1)


main()

"""pyhanko_revisions.py FOLDER: what pyHanko's difference analysis, as it comes, says of every line of FOLDER/revisions.tsv
(file, field, level, strict or not): the level of what came after that signature, BEYOND where its DocMDP permits less,
UNREADABLE where pyHanko gives up."""
import logging, os, sys
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import SuspiciousModification
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)


def answer(path, field, strict):
    with open(path, 'rb') as f:
        try:
            found = [s for s in PdfFileReader(f, strict=strict).embedded_signatures if s.field_name == field]
            if not found:
                return 'NOT LISTED', ''
            if found[0].sig_object['/Type'] != '/Sig':
                found[0].compute_integrity_info()
                result = found[0].diff_result
                return ('OTHER', str(result)) if isinstance(result, SuspiciousModification) else (
                    result.modification_level.name if result else 'NONE', '')
            status = validate_pdf_signature(found[0], ValidationContext(trust_roots=[], allow_fetching=False))
        except PdfError as e:
            return 'UNREADABLE', str(e)
    if not status.intact or not status.valid:
        return 'BROKEN', ''
    level = status.modification_level.name
    beyond = level not in ('NONE', 'OTHER') and not status.docmdp_ok
    reason = str(status.diff_result) if isinstance(status.diff_result, SuspiciousModification) else ''
    return ('BEYOND' if beyond else level), reason


def main():
    folder = sys.argv[1]
    agreed, others = 0, 0
    for line in open(os.path.join(folder, 'revisions.tsv'), encoding='utf-8'):
        name, field, expected, strict = line.rstrip('\n').split('\t')
        said, reason = answer(os.path.join(folder, name), field, strict == 'strict')
        if said == expected:
            agreed += 1
        else:
            others += 1
            print(f'  {name}, {field}: {said} instead of {expected} {reason}')
    print(f'pyHanko: {agreed} as its tests say' + (f', {others} NOT' if others else ''))
    sys.exit(1 if others else 0)


main()

import eu.europa.esig.dss.diagnostic.DiagnosticData;
import eu.europa.esig.dss.diagnostic.PDFRevisionWrapper;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.enumerations.TimestampType;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.util.Arrays;
import java.util.List;

/**
 * Facts FILE…: what DSS finds in every file, with nobody trusted and nothing fetched, as its own tests read them. One line a
 * signature or document timestamp: file, kind, fields, whether it is sound, the baseline format, whether something was changed
 * that no rule of DSS's explains; a file without any, or that DSS does not read, is one line too.
 */
public class Facts {
  public static void main(String[] args) {
    for (String path : Arrays.asList(args)) {
      File file = new File(path);
      try {
        print(path, reports(file).getDiagnosticData());
      } catch (Exception e) {
        line(path, "unread", "", "", "", "");
      }
    }
    System.exit(0);
  }

  private static Reports reports(File file) {
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setAIASource(null);
    validator.setCertificateVerifier(verifier);
    return validator.validateDocument();
  }

  private static void print(String name, DiagnosticData data) {
    int found = 0;
    for (SignatureWrapper one : data.getSignatures()) {
      PDFRevisionWrapper revision = one.getPDFRevision();
      line(name, "signature", fields(revision), one.isSignatureIntact() && one.isSignatureValid() && isSound(revision) ? "sound" : "broken",
          String.valueOf(one.getSignatureFormat()), changes(revision));
      found++;
    }
    for (TimestampWrapper one : data.getTimestampList()) {
      if (one.getType() != TimestampType.DOCUMENT_TIMESTAMP) continue;
      PDFRevisionWrapper revision = one.getPDFRevision();
      boolean sound = one.isMessageImprintDataIntact() && one.isSignatureIntact() && one.isSignatureValid();
      line(name, "document-timestamp", fields(revision), sound ? "sound" : "broken", "", changes(revision));
      found++;
    }
    if (found == 0) line(name, "none", "", "", "", "");
  }

  private static boolean isSound(PDFRevisionWrapper revision) {
    return revision == null || (revision.isSignatureByteRangeValid() && revision.isPdfSignatureDictionaryConsistent());
  }

  private static String fields(PDFRevisionWrapper revision) {
    return revision == null ? "" : String.join(", ", revision.getSignatureFieldNames());
  }

  /** Spots that look changed count for DSS as well: its tests speak of both. */
  private static String changes(PDFRevisionWrapper revision) {
    if (revision == null) return "";
    List<?> undefined = revision.getPdfUndefinedChanges();
    return !undefined.isEmpty() ? "undefined" : revision.arePdfModificationsDetected() ? "looks" : "permitted";
  }

  private static void line(String... cells) {
    System.out.println(String.join("\t", cells));
  }
}

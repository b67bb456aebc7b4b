import eu.europa.esig.dss.diagnostic.DiagnosticData;
import eu.europa.esig.dss.diagnostic.PDFRevisionWrapper;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import eu.europa.esig.dss.jaxb.object.Message;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;

/** Judge root.der[,root2.der] file.pdf... : one line per signature; exit 1 unless every one is TOTAL-PASSED without undefined changes. */
public class Judge {
  public static void main(String[] args) throws Exception {
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    for (String root : args[0].split(",")) trusted.addCertificate(DSSUtils.loadCertificate(new File(root)));
    boolean good = true;
    for (int i = 1; i < args.length; i++) good &= judge(args[i], trusted);
    System.exit(good ? 0 : 1);
  }

  static boolean judge(String file, CommonTrustedCertificateSource trusted) throws Exception {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
    validator.setCertificateVerifier(verifier);
    String at = System.getProperty("at");
    if (at != null) validator.setValidationTime(new Date(Long.parseLong(at)));
    Reports reports = validator.validateDocument();
    String out = System.getProperty("reports");
    if (out != null) {
      String name = Path.of(file).getFileName().toString();
      Files.writeString(Path.of(out, name + ".detailed.xml"), reports.getXmlDetailedReport());
      Files.writeString(Path.of(out, name + ".diagnostic.xml"), reports.getXmlDiagnosticData());
    }
    SimpleReport simple = reports.getSimpleReport();
    DiagnosticData data = reports.getDiagnosticData();
    boolean good = !data.getSignatures().isEmpty();
    System.out.println("== " + file);
    for (SignatureWrapper signature : data.getSignatures()) {
      String id = signature.getId();
      PDFRevisionWrapper s = signature.getPDFRevision();
      boolean undefined = !s.getPdfUndefinedChanges().isEmpty();
      good &= "TOTAL-PASSED".equals(String.valueOf(simple.getIndication(id)).replace('_', '-')) && !undefined;
      System.out.println("  " + simple.getIndication(id) + " " + nn(simple.getSubIndication(id)) + " "
          + simple.getSignatureFormat(id) + " by " + simple.getSignedBy(id)
          + " | extension=" + s.getPdfExtensionChanges().size() + " fill=" + s.getPdfSignatureOrFormFillChanges().size()
          + " annot=" + s.getPdfAnnotationChanges().size() + " undefined=" + s.getPdfUndefinedChanges().size()
          + " pageDiff=" + s.getPdfPageDifferenceConcernedPages() + " visual=" + s.getPdfVisualDifferenceConcernedPages()
          + " overlap=" + s.getPdfAnnotationsOverlapConcernedPages());
      s.getPdfUndefinedChanges().forEach(c -> System.out.println("     UNDEFINED " + c.getAction() + " " + c.getValue()));
      for (Message m : simple.getAdESValidationErrors(id)) System.out.println("     error " + m.getValue());
      for (Message m : simple.getAdESValidationWarnings(id)) System.out.println("     warning " + m.getValue());
      for (Message m : simple.getAdESValidationInfo(id)) System.out.println("     info " + m.getValue());
    }
    for (TimestampWrapper t : data.getTimestampList())
      System.out.println("  timestamp " + t.getType() + " " + simple.getIndication(t.getId()) + " " + nn(simple.getSubIndication(t.getId())));
    return good;
  }

  static String nn(Object o) { return o == null ? "" : o.toString(); }
}

import eu.europa.esig.dss.crl.CRLBinary;
import eu.europa.esig.dss.crl.CRLUtils;
import eu.europa.esig.dss.diagnostic.DiagnosticData;
import eu.europa.esig.dss.diagnostic.PDFRevisionWrapper;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.enumerations.RevocationOrigin;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.policy.ValidationPolicy;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.policy.SignaturePolicyProvider;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.revocation.crl.CRLSource;
import eu.europa.esig.dss.spi.x509.revocation.crl.CRLToken;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.policy.ValidationPolicyLoader;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judge FOLDER POLICIES: judges every file of FOLDER/manifest.tsv, trusting FOLDER/root-*.der, offline, after DSS's own
 * policy. Every signature must be TOTAL-PASSED, of exactly the baseline format it claims, without undefined changes, its
 * timestamps PASSED. Files below B-LT are judged with FOLDER/list-*.crl. POLICIES is a folder with ITI's policies in DER
 * ("-" for none): where a signature names one, DSS must have found it and its digest right.
 *
 * -Dreports=DIR writes DSS's reports there.
 */
public class Judge {
  /** What DSS has against a file: a code, and what it says. */
  record Objection(String code, String text) {}

  record Claim(String file, String level, String baseline, String policy, String known) {
    static Claim of(String line) {
      String[] cells = line.split("\t", -1);
      return new Claim(cells[0], cells[1], cells[2], cells[3], cells[7]);
    }

    boolean carriesRevocationData() {
      return baseline.equals("B-LT") || baseline.equals("B-LTA");
    }
  }

  private final CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
  private final List<CRLBinary> lists = new ArrayList<>();
  private final Map<String, DSSDocument> policies = new HashMap<>();

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Judge judge = new Judge();
    for (File file : folder.toFile().listFiles()) {
      if (file.getName().matches("root-.*\\.der")) judge.trusted.addCertificate(DSSUtils.loadCertificate(file));
      if (file.getName().matches("list-.*\\.crl")) judge.lists.add(CRLUtils.buildCRLBinary(Files.readAllBytes(file.toPath())));
    }
    if (!args[1].equals("-")) judge.readPolicies(Path.of(args[1]));
    System.exit(judge.judgeAll(folder) ? 0 : 1);
  }

  /** PA_PAdES_AD_RB_v1_3.der is 2.16.76.1.7.1.11.1.3. */
  private void readPolicies(Path folder) {
    String[] families = {"RB", "RT", "RC", "RA"};
    for (int i = 0; i < families.length; i++)
      for (int minor = 1; minor <= 4; minor++) {
        File file = folder.resolve("PA_PAdES_AD_" + families[i] + "_v1_" + minor + ".der").toFile();
        if (file.exists()) policies.put("2.16.76.1.7.1.1" + (i + 1) + ".1." + minor, new FileDocument(file));
      }
  }

  private boolean judgeAll(Path folder) throws Exception {
    int accepted = 0;
    int failed = 0;
    Map<String, Integer> refusals = new LinkedHashMap<>();
    for (String line : Files.readAllLines(folder.resolve("manifest.tsv"))) {
      Claim claim = Claim.of(line);
      List<Objection> found = judge(folder, claim, ValidationPolicyLoader.fromDefaultValidationPolicy().create());
      String known = claim.known();
      boolean asKnown = !known.isEmpty() && !found.isEmpty() && found.stream().allMatch(o -> o.code().equals(known.split(":")[0]));
      if (asKnown && known.startsWith("algorithm:")) {
        // The algorithm being allowed, nothing else may be wrong with the file.
        found = judge(folder, claim, withEdwards());
        asKnown = found.isEmpty();
      }
      if (asKnown) refusals.merge(known.substring(known.indexOf(": ") + 2), 1, Integer::sum);
      else if (found.isEmpty() && known.isEmpty()) accepted++;
      else {
        failed++;
        String said = String.join("; ", found.stream().map(Objection::text).toList());
        System.out.println("  " + claim.file() + ": " + (found.isEmpty() ? "accepted, although \"" + known + "\"" : said));
      }
    }
    StringBuilder total = new StringBuilder("EU DSS: " + accepted + " accepted");
    refusals.forEach((reason, count) -> total.append(", " + count + " known refusals (" + reason + ")"));
    System.out.println(total + (failed > 0 ? ", " + failed + " NOT" : ""));
    return failed == 0;
  }

  private List<Objection> judge(Path folder, Claim claim, ValidationPolicy rules) {
    try {
      return objections(folder, claim, rules);
    } catch (Exception e) {
      return List.of(new Objection("error", e.toString()));
    }
  }

  private List<Objection> objections(Path folder, Claim claim, ValidationPolicy rules) throws Exception {
    Reports reports = validate(folder.resolve(claim.file()).toFile(), claim, rules);
    SimpleReport simple = reports.getSimpleReport();
    DiagnosticData data = reports.getDiagnosticData();
    List<Objection> found = new ArrayList<>();
    if (data.getSignatures().isEmpty()) found.add(new Objection("error", "no signature"));
    for (SignatureWrapper signature : data.getSignatures()) {
      objectionsTo(signature, simple, claim, found);
      if (!claim.policy().isEmpty()) policyObjections(signature, claim.policy(), found);
    }
    for (TimestampWrapper timestamp : data.getTimestampList()) {
      String indication = String.valueOf(simple.getIndication(timestamp.getId()));
      if (!indication.equals("PASSED"))
        found.add(new Objection("error", timestamp.getType() + " " + indication + " " + simple.getSubIndication(timestamp.getId())));
    }
    return found;
  }

  /** DSS's default policy with the EdDSA that it has commented out ("Not referenced in ETSI/SOGIS"). */
  private static ValidationPolicy withEdwards() throws Exception {
    try (InputStream policy = Judge.class.getResourceAsStream("/policy/constraint.xml")) {
      String text = new String(policy.readAllBytes(), StandardCharsets.UTF_8).replaceAll("<!--\\s*(<Algo[^>]*>EdDSA</Algo>).*?-->", "$1");
      return ValidationPolicyLoader.fromValidationPolicy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).create();
    }
  }

  private Reports validate(File file, Claim claim, ValidationPolicy rules) throws Exception {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    if (!claim.carriesRevocationData()) verifier.setCrlSource((CRLSource) this::listFor);
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
    validator.setCertificateVerifier(verifier);
    SignaturePolicyProvider provider = new SignaturePolicyProvider();
    provider.setSignaturePoliciesById(policies);
    validator.setSignaturePolicyProvider(provider);
    Reports reports = validator.validateDocument(rules);
    String out = System.getProperty("reports");
    if (out != null) {
      Files.writeString(Path.of(out, file.getName() + ".detailed.xml"), reports.getXmlDetailedReport());
      Files.writeString(Path.of(out, file.getName() + ".diagnostic.xml"), reports.getXmlDiagnosticData());
    }
    return reports;
  }

  private CRLToken listFor(CertificateToken certificate, CertificateToken issuer) {
    try {
      for (CRLBinary list : lists) {
        var validity = CRLUtils.buildCRLValidity(list, issuer);
        if (!validity.isValid()) continue;
        CRLToken token = new CRLToken(certificate, validity);
        token.setExternalOrigin(RevocationOrigin.EXTERNAL);
        return token;
      }
      return null;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void objectionsTo(SignatureWrapper signature, SimpleReport simple, Claim claim, List<Objection> found) {
    String id = signature.getId();
    PDFRevisionWrapper revision = signature.getPDFRevision();
    String indication = String.valueOf(simple.getIndication(id)).replace('_', '-');
    if (!indication.equals("TOTAL-PASSED")) {
      List<String> errors = simple.getAdESValidationErrors(id).stream().map(Message::getValue).toList();
      String sub = String.valueOf(simple.getSubIndication(id));
      found.add(new Objection(sub.startsWith("CRYPTO_CONSTRAINTS_FAILURE") ? "algorithm" : "error", indication + " " + sub + " " + errors));
    }
    String format = String.valueOf(simple.getSignatureFormat(id));
    if (!format.equals("PAdES-BASELINE-" + claim.baseline().substring(2))) found.add(new Objection("error", format));
    List<String> changes = revision.getPdfUndefinedChanges().stream().map(change -> change.getAction() + " " + change.getValue()).toList();
    if (!changes.isEmpty()) found.add(new Objection("changes", "undefined changes: " + changes));
  }

  private void policyObjections(SignatureWrapper signature, String policy, List<Objection> found) {
    if (!policy.equals(signature.getPolicyId())) found.add(new Objection("error", "policy " + signature.getPolicyId()));
    if (!policies.containsKey(policy)) return;
    if (!signature.isPolicyIdentified()) found.add(new Objection("error", "policy not identified: " + signature.getPolicyProcessingError()));
    if (!signature.isPolicyDigestValid()) found.add(new Objection("error", "policy digest not OK: " + signature.getPolicyProcessingError()));
  }
}

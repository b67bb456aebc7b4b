import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/**
 * Does a file conform to a part and level of PDF/A or PDF/UA? Reads lines "flavour TAB path" and answers each with a line: nothing
 * when it conforms, else the rules that are broken.
 */
public final class ConformanceJudge {
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        VeraGreenfieldFoundryProvider.initialise();
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = asked.readLine(); line != null; line = asked.readLine()) {
            String[] parts = line.split("\t", 2);
            System.out.println(judged(PDFAFlavour.byFlavourId(parts[0]), parts[1]));
            System.out.flush();
        }
    }

    private static String judged(PDFAFlavour flavour, String path) {
        try (PDFAParser parser = Foundries.defaultInstance().createParser(new FileInputStream(path), flavour);
                PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false)) {
            ValidationResult result = validator.validate(parser);
            if (result.isCompliant()) return "";
            TreeSet<String> rules = result.getTestAssertions().stream()
                    .filter(one -> one.getStatus() == TestAssertion.Status.FAILED)
                    .map(one -> one.getRuleId().getClause() + "-" + one.getRuleId().getTestNumber() + " " + one.getMessage())
                    .collect(Collectors.toCollection(TreeSet::new));
            return String.join(" | ", rules).replaceAll("\\s+", " ");
        } catch (Exception | Error fault) {
            return "not judged: " + String.valueOf(fault).replaceAll("\\s+", " ");
        }
    }
}

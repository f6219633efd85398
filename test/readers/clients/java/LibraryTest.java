import com.acme.library.Connection;
import com.acme.library.Graphql;
import com.acme.library.model.BookStatus;
import com.acme.library.model.Digital;
import com.acme.library.model.Edition;
import com.acme.library.model.Paper;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;

/** Unions and enums of a library as its Java client reads them over both protocols, those of a newer server as well. */
public final class LibraryTest extends Program {
  private static final ObjectMapper MAPPER = new Connection("http://localhost").getObjectMapper();
  private static final Graphql GRAPHQL = new Graphql("http://localhost");

  private static Edition edition(String json) throws Exception {
    return MAPPER.readValue(json, Edition.class);
  }

  private static com.acme.library.graphql.types.Edition overGraphql(String json) throws Exception {
    JsonNode value = MAPPER.readTree(json);
    return GRAPHQL.read(value, com.acme.library.graphql.types.Edition.class);
  }

  public static void main(String[] args) throws Exception {
    Edition paper = edition("{\"kind\":\"PAPER\",\"binding\":\"HARD\"}");
    expect(paper.getPaper().getBinding(), Paper.BindingEnum.HARD);
    expect(MAPPER.readTree(MAPPER.writeValueAsString(paper)), MAPPER.readTree("{\"kind\":\"PAPER\",\"binding\":\"HARD\"}"));
    expect(edition("{\"kind\":\"DIGITAL\",\"megabytes\":1.5}").getActualInstance().getClass(), Digital.class);
    expect(
        edition("{\"kind\":\"PAPER\",\"binding\":\"SPIRAL\",\"colour\":\"blue\"}").getPaper().getBinding(),
        Paper.BindingEnum.UNKNOWN_DEFAULT_OPEN_API);
    expect(MAPPER.readValue("\"BURNT\"", BookStatus.class), BookStatus.UNKNOWN_DEFAULT_OPEN_API);

    var bound = (com.acme.library.graphql.types.Paper) overGraphql("{\"__typename\":\"Paper\",\"kind\":\"PAPER\",\"binding\":\"SOFT\"}");
    expect(bound.getBinding(), com.acme.library.graphql.types.Binding.SOFT);
    var file = (com.acme.library.graphql.types.Digital) overGraphql("{\"__typename\":\"Digital\",\"kind\":\"DIGITAL\",\"megabytes\":1.5}");
    expect(file.getMegabytes(), 1.5);
    bound = (com.acme.library.graphql.types.Paper) overGraphql("{\"__typename\":\"Paper\",\"binding\":\"SPIRAL\",\"colour\":\"blue\"}");
    expect(bound.getBinding(), null);
    expect(overGraphql("{\"__typename\":\"Scroll\",\"metres\":3}"), null);
    var book = GRAPHQL.read(MAPPER.readTree("{\"status\":\"BURNT\",\"price\":\"0.10\",\"printed\":\"9007199254740993\"}"), com.acme.library.graphql.types.Book.class);
    expect(book.getStatus(), null);
    expect(book.getPrice(), new BigDecimal("0.10"));
    expect(book.getPrinted().toString(), "9007199254740993");
    System.out.println("passed");
  }
}

import com.acme.shop.*;
import com.acme.shop.model.*;
import java.util.List;
import java.util.UUID;

/** What docs/clients.md shows, in the place of the comment below. */
final class Documented {
  private Documented() {}

  static void run(UUID productId) throws Exception {
    // The program
  }

  private static String readToken() {
    return System.getenv("CUSTOMER_TOKEN");
  }

  private static void show(Object row) {
    System.out.println(row);
  }
}

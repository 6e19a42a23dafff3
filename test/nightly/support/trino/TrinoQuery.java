import io.trino.testing.LocalQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingSession;
import java.nio.charset.StandardCharsets;

/** Runs the SQL query of its standard input in Trino, the engine of Athena, and prints a line for each row, with tabs between the values. */
public class TrinoQuery {
  public static void main(String[] arguments) throws Exception {
    String query = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    try (LocalQueryRunner trino = LocalQueryRunner.create(TestingSession.testSessionBuilder().build())) {
      for (MaterializedRow row : trino.execute(query).getMaterializedRows())
        System.out.println(String.join("\t", row.getFields().stream().map(String::valueOf).toList()));
    }
    System.exit(0);
  }
}

// Walks through the console in a real browser: signs in, uploads, looks closer, asks, brings in a
// table of a database, builds, predicts, watches, signs out, and in again by a provider that the server calls Acme.
// Takes the server's address, an e-mail, a password, a table and the browser's program.
import { chromium } from "playwright-core";

const [url, email, password, table, executablePath] = process.argv.slice(2);
const faults = [];
const quiet = ["background-networking", "component-update", "sync"];
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", ...quiet.map((name) => `--disable-${name}`)],
});
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
page.on("pageerror", (error) => faults.push(error.message));
page.on("console", (message) => {
  const isExpected = /40[14]|422|ERR_FAILED|can't be reached/.test(message.text());
  if (message.type() === "error" && !isExpected) faults.push(message.text());
});

const button = (name) => page.getByRole("button", { name, exact: true });
const place = (name) => page.getByRole("link", { name, exact: true });

await page.goto(`${url}/console/models`);
await page.getByText("API key", { exact: true }).click();
await page.getByRole("textbox", { name: "API key" }).fill("mw_wrong");
await button("Sign in").click();
await page.getByText("This API key is malformed or unknown.").waitFor();
await page.getByText("Password", { exact: true }).click();
await page.getByLabel("E-mail").fill(email);
await page.getByRole("textbox", { name: "Password" }).fill("a wrong one");
await button("Sign in").click();
await page.getByText("The e-mail or the password is wrong.").waitFor();
await page.getByRole("textbox", { name: "Password" }).fill(password);
await button("Sign in").click();
await page.getByText("No models yet").waitFor();
await page.goto(`${url}/console/models/none`);
await page.getByText("Page not found").waitFor();
await place("Home").click();
await page.getByRole("region", { name: "Newest models" }).getByText("None yet.").waitFor();
await page.goto(`${url}/console/models`);
await page.getByText("No models yet").waitFor();
await page.reload();
await page.getByText("No models yet").waitFor();

await place("Data").click();
await page.setInputFiles("input[type=file]", table);
await button("Upload").click();
await page.getByText(/^344 rows ·/).waitFor();

// While the lists are on their way, Home says nothing of what there is.
const { promise: arrival, resolve: arrive } = Promise.withResolvers();
await page.route("**/uploads?*", (route) => arrival.then(() => route.continue()));
await page.goto(`${url}/console/`);
await page.getByRole("heading", { name: "Add data" }).waitFor();
if (await place("Upload a table").count()) faults.push("Home asked for data that is there");
arrive();
await place("Add more data").waitFor();
await place("Data").click();
await page.getByRole("heading", { level: 1, name: "Data" }).waitFor(); // Home has such a link too
await place("penguins.csv").click();

await page.getByRole("tab", { name: "Profile" }).click();
await button("Profile this table").click();
await page.getByRole("region", { name: "Insights" }).waitFor();
const pictures = page.getByRole("region", { name: "Charts" });
await pictures.scrollIntoViewIfNeeded();
await pictures.getByRole("img").first().waitFor();
await page.reload();
await pictures.waitFor();

await place("Catalog").click();
await page.getByRole("heading", { level: 1, name: "Catalog of penguins.csv" }).waitFor();
const rows = page.getByRole("region", { name: "penguins", exact: true });
await rows.getByText("Inferred: it holds text").first().waitFor();
await rows.getByRole("button", { name: "Correct island", exact: true }).click();
await page.getByRole("dialog").getByLabel("Synonyms").fill("isle");
await page.keyboard.press("Enter");
await button("Save").click();
await rows.getByText("isle", { exact: true }).waitFor();
await place("Show the data").click();

await page.getByRole("link", { name: "Ask a question" }).click();
const question = page.getByRole("textbox", { name: "Question", exact: true });
await question.fill("bar chart of penguins by island");
await page.keyboard.press("Enter");
const chart = page.getByRole("figure", { name: /Bar chart/ });
await chart.waitFor();
await question.fill("How heavy are they?");
await place("Data").click();
await page.getByRole("heading", { name: "Data" }).waitFor();
await page.goBack();
await chart.waitFor();

await page.reload();
if ((await question.inputValue()) !== "How heavy are they?") faults.push("a question was lost");
await button("Number of rows per island").click();
await page.getByRole("cell", { name: "Torgersen" }).waitFor();
const answer = page.waitForEvent("download");
await button("Download CSV").click();
await page.getByText(/^3 rows/).waitFor();
if ((await answer).suggestedFilename() !== "answer.csv") faults.push("the answer was not saved");

await place("Databases").click();
await page.getByText("No databases yet").waitFor();
await button("Connect a database").click();
await page.getByText("SQLite", { exact: true }).click();
await page.getByRole("textbox", { name: "File" }).fill("none.sqlite");
await button("Connect").click();
await page.getByText("There is no file 'none.sqlite'").waitFor();
await page.keyboard.press("Control+A");
await page.keyboard.type("shop.sqlite");
await button("Connect").click();
await page.getByText("1 table, read from the database just now").waitFor();
await button("Import orders").click();
await button("Import").click();
await page.getByText(/^From orders, once, 3 rows/).waitFor();
await place("orders").click();
await page.getByText(/^3 rows/).waitFor();

await place("Models").click();
await page.getByRole("link", { name: "New model" }).click();
await page.getByRole("combobox", { name: "Data" }).fill("no such table");
await page.getByText("No table of this name").waitFor();
await page.getByRole("combobox", { name: "Data" }).fill("PENG");
await page.getByRole("option", { name: /^penguins.csv/ }).click();
await page.getByLabel("What should it predict?").fill("Predict the species of a penguin");
await button("See the plan").click();
await page.getByText("It will predict species").waitFor();
await button("Build species-penguin").click();
await page.getByRole("region", { name: "Feature importance" }).waitFor();
await page.goto(`${url}/console/models/species-penguin?version=v9.9`);
await page.getByText("Version v9.9 does not exist or is not ready; this is v1.0.").waitFor();
await page.getByRole("region", { name: "Feature importance" }).waitFor();
await page.getByRole("tab", { name: "Playground" }).click();
const weight = page.getByRole("textbox", { name: "body_mass_g" });
const typical = await weight.inputValue();
await weight.fill("heavy");
await button("Predict").click();
await page.getByRole("alert").waitFor();
const isFaulty = await weight.getAttribute("aria-invalid");
if (isFaulty !== "true") faults.push("the field at fault was not shown");
await button("Reset").click();
if ((await weight.inputValue()) !== typical) faults.push("the row did not come back");
await button("Predict").click();
await page.getByRole("region", { name: "Probabilities" }).getByText("Adelie").waitFor();
const asked = await page.getByText(/^Request req_/).innerText();
await page.getByRole("tab", { name: "Monitoring" }).click();
await page.getByText("1 row was predicted.").waitFor();
await page.getByRole("textbox", { name: "Request id" }).fill(asked.replace("Request ", ""));
await page.getByRole("combobox", { name: "species" }).fill("Adelie");
await button("Record").click();
await page.getByText("1 outcome recorded.").waitFor();
await page.getByText("measured on 1 recorded outcome").waitFor();
await page.getByRole("tab", { name: "Batch predictions" }).click();
await page.getByRole("combobox", { name: "Table" }).fill("penguins");
await page.getByRole("option", { name: /^penguins.csv/ }).click();
await button("Predict every row").click();
await page.waitForURL(/scored=/);
await page.reload();
const predictions = page.waitForEvent("download");
await place("Download").click();
const predicted = (await predictions).suggestedFilename();
if (predicted !== "penguins_predictions.csv") faults.push(`${predicted} was saved`);

await page.route(/assets|health/, (route) => route.abort());
await place("Jobs").click();
await page.getByText("The server can't be reached; is it running?").waitFor();
await page.unrouteAll();
await page.getByRole("heading", { name: "Jobs" }).waitFor();

await place("API keys").click();
await button("New key").click();
await page.getByRole("textbox", { name: "Name" }).fill("laptop");
await button("Create key").click();
await page.getByText("shown only this once").waitFor();
await page.keyboard.press("Escape");
await button("I have it").click();
await page.getByRole("cell", { name: "laptop", exact: true }).waitFor();

await place("Models").click();
await place("Species penguin").click();
await button("Delete").click();
await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
await page.getByText("No models yet").waitFor();
await page.goBack();
await page.getByText("Page not found").waitFor();

await page.context().clearCookies();
await place("Usage").click();
await page.getByText("Your session has ended. Please sign in again.").waitFor();
await page.getByLabel("E-mail").fill(email);
await page.getByRole("textbox", { name: "Password" }).fill(password);
await button("Sign in").click();
await page.getByRole("heading", { name: "Usage" }).waitFor();

await button("Sign out").click();
await button("Sign in").waitFor();
await place("Sign in with Acme").click();
await button("Sign out").click();
await button("Sign in").waitFor();
await browser.close();
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log("walked");

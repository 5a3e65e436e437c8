/*
 * Opens a page in Firefox over WebDriver BiDi, uses it, and prints what it shows as JSON:
 * node firefox.cjs BROWSER ADDRESS CAMERA [sparql]; the camera looks at the node that is clicked.
 */
"use strict";

const puppeteer = require("puppeteer-core");

async function main(executablePath, address, camera, withSparql) {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
  const shown = { messages: [] };
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && shown.messages.push(message.text()));
    page.on("pageerror", (error) => shown.messages.push(String(error)));
    const text = (selector) => page.$eval(selector, (found) => found.textContent);
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(address);
    await page.waitForSelector("[data-ready]");
    shown.heading = await text("#heading");
    shown.colours = await page.$eval("#drawing canvas", (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    await page.keyboard.press("/");
    await page.keyboard.type("nestb");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#panel:not([hidden]) h2");
    shown.found = await text("#panel h2");
    shown.address = new URL(page.url()).hash;
    await page.goto("about:blank");
    await page.goto(`${address}#camera=${camera}`);
    await page.waitForSelector("[data-ready]");
    const box = await (await page.$("#drawing")).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector("#panel:not([hidden]) h2");
    shown.clicked = await text("#panel h2");
    await page.click("#panel .actions button::-p-text(All evidence)");
    await page.waitForSelector("#panel mark");
    shown.marked = await page.$$eval("#panel mark", (marks) => marks.map((mark) => mark.textContent));
    if (withSparql) {
      await page.click("button[data-pane=sparql]");
      await page.waitForSelector(".sparql select");
      await page.select("[aria-label='Named query']", "top-methods");
      await page.waitForSelector(".sparql .answer tbody tr");
      shown.rows = (await page.$$(".sparql .answer tbody tr")).length;
    }
  } finally {
    await browser.close();
  }
  process.stdout.write(JSON.stringify(shown));
}

main(process.argv[2], process.argv[3], process.argv[4], process.argv[5] === "sparql").catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});

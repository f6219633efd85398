// The storefront through its Go client: a tour of everything that a program does with it, which asserts what it gets.
package shop_test

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/acme/shop"
	"example.com/acme/shop/api"
)

var (
	ctx      = context.Background()
	anyone   = connect("API_URL", shop.Connection{})
	customer = connect("API_URL", shop.Connection{Token: shop.StaticToken(os.Getenv("CUSTOMER_TOKEN"))})
	staff    = connect("API_URL", shop.Connection{Token: shop.StaticToken(os.Getenv("STAFF_TOKEN"))})
)

func connect(url string, connection shop.Connection) *shop.Client {
	return must(shop.New(os.Getenv(url), connection))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func parcel() (delivery api.Delivery) {
	if err := delivery.FromPhysicalDelivery(api.PhysicalDelivery{WeightGrams: 410}); err != nil {
		panic(err)
	}
	return delivery
}

func input(name string, price int) api.ProductInput {
	sku := "GO-" + strings.ToUpper(uuid.NewString()[:8])
	return api.ProductInput{Sku: sku, Name: name, Price: price, Currency: "EUR", Delivery: parcel(), Stock: shop.Of(10)}
}

func create(body api.ProductInput) *api.Product {
	return must(staff.Products.Create(ctx, body))
}

func expect[T comparable](t *testing.T, found, expected T) {
	t.Helper()
	if found != expected {
		t.Fatalf("%v, not %v", found, expected)
	}
}

func TestListsWithFiltersAndInOrder(t *testing.T) {
	for _, price := range []int{100, 300, 200, 900} {
		create(input("Filtered mug", price))
	}
	page := must(anyone.Products.Page(ctx, &api.ListProductsParams{
		NameContains: shop.Of("Filtered"),
		PriceGte:     shop.Of(200),
		PriceLt:      shop.Of(900),
		Status:       []api.ProductStatus{api.ProductStatusDraft, api.ProductStatusActive},
		CreatedAtGt:  shop.Of(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)),
		UnitsSoldLte: shop.Of("0"),
		Sort:         []api.ProductSort{api.ProductSortPriceDesc, api.ProductSortName},
		Count:        shop.Of(true),
	}))
	expect(t, len(page.Data), 2)
	expect(t, page.Data[0].Price, 300)
	expect(t, page.Data[1].Price, 200)
	expect(t, *page.Page.TotalCount, 2)
}

func TestGoesThroughPagesAsTheyAreNeeded(t *testing.T) {
	for price := 1; price <= 7; price++ {
		create(input("Paged mug", price))
	}
	asked := 0
	count := func(context.Context, *http.Request) error { asked++; return nil }
	params := &api.ListProductsParams{
		NameContains: shop.Of("Paged"), Sort: []api.ProductSort{api.ProductSortPrice}, Limit: shop.Of(2),
	}
	var prices []int
	for product, err := range anyone.Products.List(ctx, params, count) {
		prices = append(prices, must(product, err).Price)
		if len(prices) == 5 {
			break
		}
	}
	expect(t, slices.Equal(prices, []int{1, 2, 3, 4, 5}), true)
	expect(t, asked, 3)
	params.Cursor = shop.Of(must(must(anyone.Products.Page(ctx, params)).Page.NextCursor.Get()))
	expect(t, must(anyone.Products.Page(ctx, params)).Data[0].Price, 3)
}

func TestEndsAListWithTheError(t *testing.T) {
	for _, err := range anyone.Orders.List(ctx, nil) {
		expect(t, errors.Is(err, shop.CodeUnauthenticated), true)
	}
}

func TestCreatesOnceWithAKey(t *testing.T) {
	key, body := shop.IdempotencyKey(uuid.NewString()), input("Once", 100)
	first := must(staff.Products.Create(ctx, body, key))
	again := must(staff.Products.Create(ctx, body, key))
	expect(t, first.ID, again.ID)
}

func TestSetsClearsAndLeavesOut(t *testing.T) {
	body := input("Patched", 100)
	body.Description, body.TaxRate = shop.Set("Text"), shop.Of("0.19")
	body.Stock, body.Tags = shop.Of(77), &[]string{"b", "a"}
	product := create(body)
	changed := must(staff.Products.Update(ctx, product.ID, api.ProductPatch{
		Price: shop.Of(150), Description: shop.Clear[string](),
	}))
	expect(t, changed.Price, 150)
	expect(t, changed.Description.IsNull(), true)
	expect(t, changed.Stock, 77)
	expect(t, slices.Equal(changed.Tags, []string{"b", "a"}), true)
	expect(t, changed.TaxRate, "0.19")
	expect(t, changed.Name, "Patched")
}

func TestChangesOnlyTheVersionThatWasRead(t *testing.T) {
	read := create(input("Contested", 100))
	must(staff.Products.UpdateIfUnchanged(ctx, read, api.ProductPatch{Price: shop.Of(200)}))
	_, err := staff.Products.UpdateIfUnchanged(ctx, read, api.ProductPatch{Price: shop.Of(300)})
	expect(t, errors.Is(err, shop.CodePreconditionFailed), true)
	_, err = staff.Products.ReplaceIfUnchanged(ctx, read, input("Contested", 300))
	expect(t, errors.Is(err, shop.CodePreconditionFailed), true)
	expect(t, errors.Is(staff.Products.DeleteIfUnchanged(ctx, read), shop.CodePreconditionFailed), true)
	_, err = staff.Products.Update(ctx, read.ID, api.ProductPatch{Price: shop.Of(300)}, shop.IfVersion(read.Version))
	expect(t, errors.Is(err, shop.CodePreconditionFailed), true)
	expect(t, must(staff.Products.Update(ctx, read.ID, api.ProductPatch{Price: shop.Of(300)})).Price, 300)
}

func TestChangesAgainWhereSomebodyWasFaster(t *testing.T) {
	product := create(input("Raced", 100))
	tries := 0
	raise := func(current *api.Product) (*api.ProductPatch, error) {
		if tries++; tries == 1 {
			must(staff.Products.Update(ctx, product.ID, api.ProductPatch{Price: shop.Of(200)}))
		}
		return &api.ProductPatch{Price: shop.Of(current.Price + 1)}, nil
	}
	expect(t, must(staff.Products.Change(ctx, product.ID, raise)).Price, 201)
	expect(t, tries, 2)
	leave := func(*api.Product) (*api.ProductPatch, error) { return nil, nil }
	expect(t, must(staff.Products.Change(ctx, product.ID, leave)).Version, 3)
	always := func(*api.Product) (*api.ProductPatch, error) {
		tries++
		must(staff.Products.Update(ctx, product.ID, api.ProductPatch{Price: shop.Of(tries)}))
		return &api.ProductPatch{Price: shop.Of(1)}, nil
	}
	_, err := staff.Products.Change(ctx, product.ID, always)
	expect(t, errors.Is(err, shop.CodePreconditionFailed), true)
	expect(t, tries, 7)
}

func TestSavesAnAnswerThatHasNotChanged(t *testing.T) {
	product := create(input("Unchanged", 100))
	read := must(anyone.GetProductWithResponse(ctx, product.ID, nil))
	_, err := anyone.Products.Get(ctx, product.ID, shop.IfNoneMatch(*shop.ETag(read.HTTPResponse)))
	var unchanged *shop.Error
	expect(t, errors.As(err, &unchanged), true)
	expect(t, unchanged.Status, 304)
}

func TestTellsWhatTheAPIRefuses(t *testing.T) {
	product := create(input("Refused", 100))
	_, err := anyone.Orders.Page(ctx, nil)
	expect(t, errors.Is(err, shop.CodeUnauthenticated), true)
	_, err = customer.Products.Update(ctx, product.ID, api.ProductPatch{Price: shop.Of(1)})
	expect(t, errors.Is(err, shop.CodeForbidden), true)
	_, err = anyone.Products.Get(ctx, uuid.New())
	expect(t, errors.Is(err, shop.CodeNotFound), true)
	_, err = staff.Products.Update(ctx, product.ID, api.ProductPatch{Price: shop.Of(-1), TaxRate: shop.Of("nine")})
	var failure *shop.Error
	expect(t, errors.As(err, &failure), true)
	expect(t, failure.Status, 400)
	expect(t, failure.Errors[0].Pointer, "/price")
	expect(t, failure.RequestID != "", true)
}

func TestTellsTheCodesOfTheContract(t *testing.T) {
	product, other := create(input("Sold", 100)), create(input("Sold out", 100))
	for _, one := range []*api.Product{product, other} {
		must(staff.Products.Update(ctx, one.ID, api.ProductPatch{Status: shop.Of(api.ProductStatusActive)}))
	}
	order := must(customer.Orders.Create(ctx, api.OrderInput{Note: shop.Set("A gift.")}))
	must(customer.Orders.Items.Create(ctx, order.ID, api.OrderItemInput{ProductID: product.ID, Quantity: 2}))
	for item, err := range customer.Orders.Items.List(ctx, order.ID, nil) {
		expect(t, must(item, err).Quantity, 2)
	}
	_, err := customer.Orders.Items.Create(ctx, order.ID, api.OrderItemInput{ProductID: other.ID, Quantity: 999})
	expect(t, errors.Is(err, shop.CodeOutOfStock), true)
}

func TestWaitsAsLongAsTheServerAsks(t *testing.T) {
	hasty := connect("LIMITED_URL", shop.Connection{Retries: -1})
	var err error
	for range 10 {
		_, err = hasty.Products.Page(ctx, nil)
	}
	var failure *shop.Error
	expect(t, errors.As(err, &failure), true)
	expect(t, failure.Code, shop.CodeTooManyRequests)
	expect(t, failure.RetryAfter > 0, true)

	before := time.Now()
	must(connect("BUSY_URL", shop.Connection{}).Products.Page(ctx, nil))
	expect(t, time.Since(before) >= time.Second, true)
}

func TestSendsTheConsistencyTokenOfTheLastAnswer(t *testing.T) {
	counting := connect("COUNTING_URL", shop.Connection{})
	for _, token := range []string{"s1", "s2", "s3"} {
		answer := must(counting.ListProductsWithResponse(ctx, nil))
		expect(t, answer.HTTPResponse.Header.Get("Consistency-Token"), token)
	}
}

func TestTellsTheVariantsOfAUnion(t *testing.T) {
	body := input("Guide", 1)
	download := api.DigitalDelivery{DownloadURL: "https://example.com/guide.pdf", SizeBytes: shop.Of(int64(5_000_000_000))}
	if err := body.Delivery.FromDigitalDelivery(download); err != nil {
		t.Fatal(err)
	}
	product := must(anyone.Products.Get(ctx, create(body).ID))
	switch delivery := must(product.Delivery.ValueByDiscriminator()).(type) {
	case api.DigitalDelivery:
		expect(t, *delivery.SizeBytes, 5_000_000_000)
	default:
		t.Fatalf("%T", delivery)
	}
}

func TestKeepsDecimalsAndLargeNumbersExact(t *testing.T) {
	body := input("Exact", 1)
	body.TaxRate = shop.Of("0.075")
	product := create(body)
	rate, ok := new(big.Rat).SetString(product.TaxRate)
	expect(t, ok && rate.Cmp(big.NewRat(75, 1000)) == 0, true)
	expect(t, product.UnitsSold, "0")
	expect(t, product.Version, int64(1))
}

func TestReadsWhatANewerServerAnswers(t *testing.T) {
	newer := connect("NEWER_URL", shop.Connection{})
	product := must(newer.Products.Get(ctx, create(input("Newer", 100)).ID))
	expect(t, product.Status, "PREORDER")
	expect(t, product.Status.Valid(), false)
	_, err := newer.Products.Get(ctx, uuid.New())
	expect(t, errors.Is(err, shop.Code("GONE_FISHING")), true)
}

func TestReachesOperationsThatAreNoAction(t *testing.T) {
	summary := must(anyone.GetRatingSummaryWithResponse(ctx, create(input("Rated", 100)).ID)).JSON200
	expect(t, summary.Count, 0)
}

func TestWritesManyRowsByOneRequest(t *testing.T) {
	body := input("Batched", 100)
	made := api.ProductBatchItem{Create: &api.ProductBatchCreate{Input: body}}
	upsert := api.ProductBatchUpsert{Key: api.ProductBatchKey{Sku: body.Sku}, Create: body, Update: &api.ProductPatch{Price: shop.Of(200)}}
	write := func(batch api.ProductBatchInput) []api.ProductBatchResult {
		return must(staff.BatchProductsWithResponse(ctx, nil, batch)).JSON200.Data
	}
	written := write(api.ProductBatchInput{Items: []api.ProductBatchItem{made, {Upsert: &upsert}}})
	expect(t, written[0].Status, 201)
	expect(t, written[1].Data.Price, 200)
	gone := api.ProductBatchDelete{ID: &written[0].Data.ID, IfVersion: shop.Of(written[1].Data.Version)}
	each := write(api.ProductBatchInput{
		Mode:  shop.Of(api.ProductBatchInputModeEach),
		Items: []api.ProductBatchItem{made, {Delete: &gone}},
	})
	expect(t, string(each[0].Error.Code), "ALREADY_EXISTS")
	expect(t, each[1].Status, 204)
	expect(t, each[1].Data == nil, true)
}

func TestDeletes(t *testing.T) {
	product := create(input("Deleted", 100))
	if err := staff.Products.Delete(ctx, product.ID); err != nil {
		t.Fatal(err)
	}
	expect(t, errors.Is(staff.Products.Delete(ctx, product.ID), shop.CodeNotFound), true)
}

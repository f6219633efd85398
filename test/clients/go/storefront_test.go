// The storefront through its Go client: a tour of everything that a program does with it, which asserts what it gets.
package shop_test

import (
	"context"
	"errors"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"

	"example.com/acme/shop"
	"example.com/acme/shop/api"
)

var (
	ctx      = context.Background()
	anyone   = connect("API_URL", shop.Connection{})
	customer = connect("API_URL", shop.Connection{Token: shop.StaticToken(os.Getenv("CUSTOMER_TOKEN"))})
	staff    = connect("API_URL", shop.Connection{Token: shop.StaticToken(os.Getenv("STAFF_TOKEN"))})
)

func connect(url string, connection shop.Connection) *api.ClientWithResponses {
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
	return must(staff.CreateProductWithResponse(ctx, nil, body)).JSON201
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
	page := must(anyone.ListProductsWithResponse(ctx, &api.ListProductsParams{
		NameContains: shop.Of("Filtered"),
		PriceGte:     shop.Of(200),
		PriceLt:      shop.Of(900),
		Status:       []api.ProductStatus{api.ProductStatusDraft, api.ProductStatusActive},
		CreatedAtGt:  shop.Of(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)),
		UnitsSoldLte: shop.Of("0"),
		Sort:         []api.ProductSort{api.ProductSortPriceDesc, api.ProductSortName},
		Count:        shop.Of(true),
	})).JSON200
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
	found := shop.All(func(cursor *string) ([]api.Product, nullable.Nullable[string], error) {
		asked++
		res, err := anyone.ListProductsWithResponse(ctx, &api.ListProductsParams{
			NameContains: shop.Of("Paged"), Sort: []api.ProductSort{api.ProductSortPrice}, Limit: shop.Of(2), Cursor: cursor,
		})
		if err != nil {
			return nil, nil, err
		}
		return res.JSON200.Data, res.JSON200.Page.NextCursor, nil
	})
	var prices []int
	for product, err := range found {
		prices = append(prices, must(product, err).Price)
		if len(prices) == 5 {
			break
		}
	}
	expect(t, slices.Equal(prices, []int{1, 2, 3, 4, 5}), true)
	expect(t, asked, 3)
}

func TestCreatesOnceWithAKey(t *testing.T) {
	params, body := &api.CreateProductParams{IdempotencyKey: shop.Of(uuid.NewString())}, input("Once", 100)
	first := must(staff.CreateProductWithResponse(ctx, params, body)).JSON201
	again := must(staff.CreateProductWithResponse(ctx, params, body)).JSON201
	expect(t, first.ID, again.ID)
}

func TestSetsClearsAndLeavesOut(t *testing.T) {
	body := input("Patched", 100)
	body.Description, body.TaxRate = shop.Set("Text"), shop.Of("0.19")
	body.Stock, body.Tags = shop.Of(77), &[]string{"b", "a"}
	product := create(body)
	changed := must(staff.UpdateProductWithResponse(ctx, product.ID, nil, api.ProductPatch{
		Price: shop.Of(150), Description: shop.Clear[string](),
	})).JSON200
	expect(t, changed.Price, 150)
	expect(t, changed.Description.IsNull(), true)
	expect(t, changed.Stock, 77)
	expect(t, slices.Equal(changed.Tags, []string{"b", "a"}), true)
	expect(t, changed.TaxRate, "0.19")
	expect(t, changed.Name, "Patched")
}

func TestChangesOnlyTheVersionThatWasRead(t *testing.T) {
	product := create(input("Contested", 100))
	read := must(staff.GetProductWithResponse(ctx, product.ID, nil))
	params := &api.UpdateProductParams{IfMatch: shop.ETag(read.HTTPResponse)}
	must(staff.UpdateProductWithResponse(ctx, product.ID, params, api.ProductPatch{Price: shop.Of(200)}))
	_, err := staff.UpdateProductWithResponse(ctx, product.ID, params, api.ProductPatch{Price: shop.Of(300)})
	expect(t, errors.Is(err, shop.CodePreconditionFailed), true)
}

func TestSavesAnAnswerThatHasNotChanged(t *testing.T) {
	product := create(input("Unchanged", 100))
	read := must(anyone.GetProductWithResponse(ctx, product.ID, nil))
	params := &api.GetProductParams{IfNoneMatch: shop.ETag(read.HTTPResponse)}
	again := must(anyone.GetProductWithResponse(ctx, product.ID, params))
	expect(t, again.StatusCode(), 304)
	expect(t, again.JSON200, nil)
}

func TestTellsWhatTheAPIRefuses(t *testing.T) {
	product := create(input("Refused", 100))
	_, err := anyone.ListOrdersWithResponse(ctx, nil)
	expect(t, errors.Is(err, shop.CodeUnauthenticated), true)
	_, err = customer.UpdateProductWithResponse(ctx, product.ID, nil, api.ProductPatch{Price: shop.Of(1)})
	expect(t, errors.Is(err, shop.CodeForbidden), true)
	_, err = anyone.GetProductWithResponse(ctx, uuid.New(), nil)
	expect(t, errors.Is(err, shop.CodeNotFound), true)
	_, err = staff.UpdateProductWithResponse(ctx, product.ID, nil, api.ProductPatch{Price: shop.Of(-1), TaxRate: shop.Of("nine")})
	var failure *shop.Error
	expect(t, errors.As(err, &failure), true)
	expect(t, failure.Status, 400)
	expect(t, failure.Errors[0].Pointer, "/price")
	expect(t, failure.RequestID != "", true)
}

func TestTellsTheCodesOfTheContract(t *testing.T) {
	product, other := create(input("Sold", 100)), create(input("Sold out", 100))
	for _, one := range []*api.Product{product, other} {
		must(staff.UpdateProductWithResponse(ctx, one.ID, nil, api.ProductPatch{Status: shop.Of(api.ProductStatusActive)}))
	}
	order := must(customer.CreateOrderWithResponse(ctx, nil, api.OrderInput{Note: shop.Set("A gift.")})).JSON201
	must(customer.CreateItemWithResponse(ctx, order.ID, nil, api.OrderItemInput{ProductID: product.ID, Quantity: 2}))
	items := must(customer.ListItemsWithResponse(ctx, order.ID, nil)).JSON200.Data
	expect(t, items[0].Quantity, 2)
	_, err := customer.CreateItemWithResponse(ctx, order.ID, nil, api.OrderItemInput{ProductID: other.ID, Quantity: 999})
	expect(t, errors.Is(err, shop.CodeOutOfStock), true)
}

func TestWaitsAsLongAsTheServerAsks(t *testing.T) {
	hasty := connect("LIMITED_URL", shop.Connection{Retries: -1})
	var err error
	for range 10 {
		_, err = hasty.ListProductsWithResponse(ctx, nil)
	}
	var failure *shop.Error
	expect(t, errors.As(err, &failure), true)
	expect(t, failure.Code, shop.CodeTooManyRequests)
	expect(t, failure.RetryAfter > 0, true)

	before := time.Now()
	must(connect("BUSY_URL", shop.Connection{}).ListProductsWithResponse(ctx, nil))
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
	product := must(anyone.GetProductWithResponse(ctx, create(body).ID, nil)).JSON200
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
	product := must(newer.GetProductWithResponse(ctx, create(input("Newer", 100)).ID, nil)).JSON200
	expect(t, product.Status, "PREORDER")
	expect(t, product.Status.Valid(), false)
	_, err := newer.GetProductWithResponse(ctx, uuid.New(), nil)
	expect(t, errors.Is(err, shop.Code("GONE_FISHING")), true)
}

func TestDeletes(t *testing.T) {
	product := create(input("Deleted", 100))
	expect(t, must(staff.DeleteProductWithResponse(ctx, product.ID, nil)).StatusCode(), 204)
}
